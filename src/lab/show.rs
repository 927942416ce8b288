//! Output functions of scripts: print a result, show it as a table or plot, or write it to a file.

use std::any::TypeId;
use std::ops::{Range, RangeInclusive};
use std::rc::Rc;

use rhai::{Array, Dynamic, Engine, INT, ImmutableString, Map, NativeCallContext as Call};

use super::context::LabContext;
use super::convert::float_of;
use super::failure::CallResult;
use super::results::{LineResult, ResultKind};
use super::scenario::Opened;
use super::table::Sheet;
use super::{convert, files, table};
use crate::error::Error;
use crate::game::Value;
use crate::report::{self, Block, Figure, ShowStyle};
use crate::script::{Dist, a_word, to_value};

pub(super) fn register(engine: &mut Engine, desk: &Rc<LabContext>) {
    engine
        .register_type_with_name::<Sheet>("Table")
        .register_get("columns", |sheet: &mut Sheet| -> Array {
            sheet.columns.iter().map(|name| name.as_str().into()).collect()
        })
        .register_type_with_name::<Vec<Figure>>("Figure");
    printing(engine, desk);
    tables(engine, desk);
    figures(engine, desk);
    saving(engine, desk);
}

/// Makes `print` show values as results are shown; for programs as JSON, a line each.
fn printing(engine: &mut Engine, desk: &Rc<LabContext>) {
    macro_rules! shown {
        ($($name:literal: $kind:ty),*) => {$(
            let own = desk.clone();
            engine.register_fn($name, move |one: &mut $kind| own.shown(&Dynamic::from(one.clone())));
        )*};
    }
    shown!("print": Array, "print": Sheet, "print": Vec<Figure>, "to_string": Vec<Figure>);
    let own = desk.clone();
    engine.register_fn("print", move |value: Dynamic| own.shown(&value));
    let own = desk.clone();
    raw(engine, "print", move |_, map| Ok(own.shown(map)));
    let own = desk.clone();
    engine.register_fn("print", move |text: ImmutableString| -> String {
        match own.look.get().json {
            true => Value::Text(text.to_string()).literal(),
            false => text.to_string(),
        }
    });
    let own = desk.clone();
    engine.register_fn("to_string", move |sheet: &mut Sheet| {
        let ShowStyle { width, plain, .. } = own.look.get();
        report::text(&[Block::Table(sheet.table())], width, plain)
    });
    host!(engine, desk, "number", |own, value: Dynamic| -> f64 {
        float_of(&convert::of_dynamic(&value, "the number")?)
    });
}

impl LabContext {
    fn shown(&self, value: &Dynamic) -> String {
        LineResult::of(value).shown(self.look.get()).unwrap_or_default()
    }
}

/// Registers a function of a map that is handed over with its tag, which says what it is a result of.
fn raw<T: Clone + 'static>(
    engine: &mut Engine,
    name: &str,
    function: impl Fn(&Call, &Dynamic) -> CallResult<T> + 'static,
) {
    engine.register_raw_fn(name, [TypeId::of::<Map>()], move |call, arguments| {
        function(&call, arguments[0])
    });
}

fn tables(engine: &mut Engine, desk: &Rc<LabContext>) {
    host!(engine, desk, "table", |own, rows: Array| -> Sheet { Sheet::of(&listed(&rows.into())?) });
    host!(engine, desk, "table", |own, rows: Array, columns: Array| -> Sheet {
        Sheet::with(&listed(&rows.into())?, names(&columns)?)
    });
}

fn figures(engine: &mut Engine, desk: &Rc<LabContext>) {
    type Figures = Vec<Figure>;
    let own = desk.clone();
    raw(engine, "plot", move |call, result| -> CallResult<Figures> {
        own.beside(call.call_position(), || {
            let plain = convert::of_dynamic(result, "the result")?;
            match ResultKind::of(result) {
                Some(ResultKind::Solution | ResultKind::Exploited) => table::of_solution(&plain),
                _ => table::of_sweep(&plain),
            }
        })
    });
    host!(engine, desk, "plot", |own, rows: Array, x: &str, y: Dynamic| -> Figures {
        drawn(&rows.into(), x, &y, "")
    });
    host!(engine, desk, "plot", |own, rows: Array, x: &str, y: Dynamic, title: &str| -> Figures {
        drawn(&rows.into(), x, &y, title)
    });
}

fn saving(engine: &mut Engine, desk: &Rc<LabContext>) {
    host!(engine, desk, "save_csv", |own, path: &str, rows: Dynamic| -> () {
        save(&own, path, sheet(&rows)?.csv())
    });
    host!(engine, desk, "save_json", |own, path: &str, value: Dynamic| -> () {
        let json = match value.read_lock::<Sheet>() {
            Some(sheet) => report::json(&*sheet, true),
            None => report::json(&convert::of_dynamic(&value, "the value")?, true),
        };
        save(&own, path, json + "\n")
    });
    host!(engine, desk, "save_svg", |own, path: &str, figures: Vec<Figure>| -> () {
        save(&own, path, Figure::svg(&figures))
    });
}

fn save(desk: &LabContext, path: &str, text: String) -> Result<(), Error> {
    files::write(path, text.as_bytes())?;
    desk.note(&format!("wrote `{path}`"));
    Ok(())
}

fn sheet(rows: &Dynamic) -> Result<Sheet, Error> {
    match rows.read_lock::<Sheet>() {
        Some(sheet) => Ok(sheet.clone()),
        None => Sheet::of(&listed(rows)?),
    }
}

fn listed(rows: &Dynamic) -> Result<Value, Error> {
    convert::of_dynamic(rows, "the rows")
}

fn drawn(rows: &Dynamic, x: &str, y: &Dynamic, title: &str) -> Result<Vec<Figure>, Error> {
    let ys = match convert::of_dynamic(y, "the column")? {
        Value::Text(name) => vec![name],
        Value::List(names) => texts(&names)?,
        other => {
            let message = format!("a column is a text, or a list of texts; got {}", other.kind());
            return Err(Error::usage(message));
        }
    };
    table::plot(&listed(rows)?, x, &ys, title)
}

fn names(columns: &Array) -> Result<Vec<String>, Error> {
    match convert::of_dynamic(&columns.clone().into(), "the columns")? {
        Value::List(names) => texts(&names),
        _ => Ok(Vec::new()),
    }
}

fn texts(names: &[Value]) -> Result<Vec<String>, Error> {
    let text = |name: &Value| {
        let text = name.as_text().map(str::to_owned);
        text.ok_or_else(|| Error::usage(format!("a column is a text, got {}", name.kind())))
    };
    names.iter().map(text).collect()
}

impl LineResult {
    pub(super) fn of(value: &Dynamic) -> LineResult {
        if value.is_unit() {
            return LineResult::Nothing;
        }
        if let Some(dist) = value.read_lock::<Dist>() {
            return LineResult::Distribution(dist.0.clone());
        }
        if let Some(sheet) = value.read_lock::<Sheet>() {
            return LineResult::Sheet(sheet.clone());
        }
        if let Some(figures) = value.read_lock::<Vec<Figure>>() {
            return LineResult::Figures(figures.clone());
        }
        if let Some(opened) = value.read_lock::<Opened>() {
            return LineResult::Other(opened.title());
        }
        if let Some(range) = value.read_lock::<Range<INT>>() {
            return LineResult::Other(format!("{}..{}", range.start, range.end));
        }
        if let Some(range) = value.read_lock::<RangeInclusive<INT>>() {
            return LineResult::Other(format!("{}..={}", range.start(), range.end()));
        }
        match to_value(value, "the result") {
            Ok(plain) => match ResultKind::of(value) {
                Some(kind) => LineResult::Result(kind, plain),
                None => LineResult::Value(plain),
            },
            Err(_) if value.is_fnptr() => LineResult::Other("a closure".to_owned()),
            Err(_) => {
                let text = value.to_string();
                // A type that shows itself as no more than its name.
                let is_name = text == value.type_name();
                LineResult::Other(if is_name { a_word(&text) } else { text })
            }
        }
    }
}
