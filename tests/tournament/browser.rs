//! Tests the report page in Chromium, on a phone and on a desk, in light and in dark: it loads
//! without complaint.
//!
//! Without Chromium the tests print that they are skipped; but with `FRACAS_BROWSER_REQUIRED` set,
//! as `.ci/run` does where it can install one, they fail.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::report;
use crate::commands::replay_page;

/// The document around the page: frames as wide as a phone and a desk, and a script that inspects
/// them. The page itself has neither.
const HOST: &str = r#"<!DOCTYPE html><html><body>FRAMES<pre id="seen"></pre><script>
// Of WCAG 2: the relative luminance of the text and of the layers of paper below it.
const parts = (colour) => (colour.match(/[0-9.]+/g) || [0, 0, 0, 0]).map(Number);
const light = (rgb) => rgb.slice(0, 3).map((part) => part / 255)
  .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
const over = (above, below) => {
  const alpha = above.length > 3 ? above[3] : 1;
  return [0, 1, 2].map((index) => alpha * above[index] + (1 - alpha) * below[index]);
};
const contrast = (view, one) => {
  const style = (element) => view.getComputedStyle(element);
  const layers = [];
  for (let element = one; element; element = element.parentElement)
    layers.push(parts(style(element).backgroundColor));
  const paper = layers.reverse().reduce((below, above) => over(above, below), [255, 255, 255]);
  const ink = parts(one.localName === 'text' ? style(one).fill : style(one).color);
  const [dark, bright] = [light(over(ink, paper)), light(paper)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
};
onload = () => {
  const look = (frame) => {
    const page = frame.contentDocument, all = (what) => [...page.querySelectorAll(what)];
    const width = page.documentElement.clientWidth;
    const outside = all('svg[role=img] text').filter((text) => {
      const own = text.getBoundingClientRect();
      const room = text.closest('svg[role=img]').getBoundingClientRect();
      return own.left < room.left - 1 || own.right > room.right + 1;
    });
    return {
      title: page.title,
      headings: all('h1, h2').map((heading) => heading.textContent),
      paper: frame.contentWindow.getComputedStyle(page.body).backgroundColor,
      over: page.documentElement.scrollWidth - width,
      height: page.documentElement.scrollHeight,
      pictures: all('svg[role=img]').length,
      titled: all('svg[role=img] > title').filter((title) => title.textContent.trim()).length,
      drawn: all('svg[role=img]').filter((svg) => svg.getBoundingClientRect().width > 100).length,
      outside: outside.map((text) => text.textContent),
      tables: all('table').length,
      captions: all('table > caption').length,
      images: all('img, link, iframe').length,
      asked: frame.contentWindow.performance.getEntriesByType('resource').map((one) => one.name),
      links: all('nav a').filter((link) => !page.querySelector(link.getAttribute('href'))).length,
      faint: all('h1, h2, h3, p, td, th, summary, code, a, text:not(.drawing text)').filter((one) => one.textContent.trim()
        && contrast(frame.contentWindow, one) < 4.5).map((one) => one.textContent.slice(0, 40)),
      small: all('p, td, th, li, text').filter((one) =>
        parseFloat(frame.contentWindow.getComputedStyle(one).fontSize) < 12).length,
    };
  };
  const seen = [...document.querySelectorAll('iframe')].map(look);
  document.getElementById('seen').textContent = encodeURIComponent(JSON.stringify(seen));
};
</script></body></html>"#;

/// The document around a page: a script that presses keys and buttons in it, and tells what came of that.
const HANDS: &str = r#"<!DOCTYPE html><html><body>FRAMES<pre id="seen"></pre><script>
onload = () => {
  const handle = (frame) => {
    const page = frame.contentDocument, all = (what) => [...page.querySelectorAll(what)];
    const part = (name) => page.querySelector(`[data-part="${name}"]`);
    const press = (key, at = page.body, more = {}) => at.dispatchEvent(
      new frame.contentWindow.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
    const seen = { places: [], columns: {} };
    const controls = all('a[href], button, input, select, summary, [tabindex]');
    seen.controls = controls.length;
    seen.unreachable = controls.filter((one) => one.tabIndex < 0).map((one) => one.outerHTML);
    seen.unnamed = controls.filter((one) => !(one.textContent.trim() || one.getAttribute('aria-label') || one.labels?.length))
      .map((one) => one.outerHTML);
    if (part('count')) {
      const place = (how, doing) => { doing(); seen.places.push([how, part('count').textContent]); };
      for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft', 'End', 'ArrowRight', 'Home', 'ArrowLeft', 'PageDown', 'PageUp'])
        place(key, () => press(key));
      place('Ctrl+ArrowRight', () => press('ArrowRight', page.body, { ctrlKey: true }));
      place('ArrowRight in the list of eyes', () => press('ArrowRight', part('viewer')));
      for (const name of ['on', 'end', 'back', 'first']) place(name, () => part(name).click());
      place('the slider', () => { part('slider').value = 3; part('slider').dispatchEvent(new Event('input')); });
      const marks = [...part('marks').querySelectorAll('button')];
      seen.marks = marks.map((mark) => { mark.click(); return [mark.textContent, part('count').textContent]; });
    }
    all('table.sorts').forEach((table) => [...table.tHead.rows[0].cells].forEach((head, column) => {
      if (!head.textContent) return;
      const texts = () => [...table.tBodies[0].rows].map((row) => row.cells[column].textContent);
      const before = texts();
      head.querySelector('button').click();
      const up = [head.getAttribute('aria-sort'), texts()];
      head.querySelector('button').click();
      const down = [head.getAttribute('aria-sort'), texts()];
      (seen.columns[head.textContent] ||= []).push({ before, up, down });
    }));
    seen.filtered = all('.filter input').map((field) => {
      const rows = [...field.closest('.filter').nextElementSibling.querySelectorAll('tbody tr')];
      const wanted = rows[0].cells[0].textContent;
      field.value = wanted;
      field.dispatchEvent(new Event('input'));
      return rows.every((row) => row.hidden === !row.textContent.toLowerCase().includes(wanted.toLowerCase()));
    });
    return seen;
  };
  const seen = [...document.querySelectorAll('iframe')].map(handle);
  document.getElementById('seen').textContent = encodeURIComponent(JSON.stringify(seen));
};
</script></body></html>"#;

/// The browser, if there is one; else prints that the test is skipped, or panics if a browser is
/// required.
pub fn chromium() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let all = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    let found = all.into_iter().find(|file| file.is_file());
    if found.is_none() {
        let required = std::env::var_os("FRACAS_BROWSER_REQUIRED").is_some();
        assert!(!required, "FRACAS_BROWSER_REQUIRED is set, and there is no Chromium");
        eprintln!("skipped: no Chromium is at hand to open the report in");
    }
    found
}

/// The document after a browser has loaded it, and the messages of the console.
pub fn read(browser: &Path, file: &Path, options: &[&str]) -> (String, Vec<String>) {
    let profile = tempfile::tempdir().unwrap();
    let ran = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        .args(["--allow-file-access-from-files", "--enable-logging=stderr", "--dump-dom"])
        .args(["--virtual-time-budget=10000", "--no-first-run", "--disable-extensions"])
        .args(options)
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}", file.display()))
        .output()
        .unwrap();
    assert!(ran.status.success(), "{ran:?}");
    let said = String::from_utf8_lossy(&ran.stderr);
    // `[pid:thread:time:INFO:CONSOLE:line] "message"`, whatever the message's own level is.
    let said = said.lines().filter(|line| line.contains(":CONSOLE"));
    (String::from_utf8_lossy(&ran.stdout).into_owned(), said.map(str::to_owned).collect())
}

/// The findings of the script of [`HOST`] in each page, in frames of these widths.
fn look(browser: &Path, pages: &[String], widths: &[u32], options: &[&str]) -> Vec<Value> {
    within(HOST, browser, pages, widths, options)
}

/// The findings of the script of a document around pages.
fn within(
    host: &str,
    browser: &Path,
    pages: &[String],
    widths: &[u32],
    options: &[&str],
) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let mut frames = String::new();
    for (number, page) in pages.iter().enumerate() {
        std::fs::write(folder.path().join(format!("{number}.html")), page).unwrap();
        for width in widths {
            frames.push_str(&format!(
                "<iframe src=\"{number}.html\" style=\"border:0\" width=\"{width}\" height=\"800\">\
                 </iframe>\n"
            ));
        }
    }
    let file = folder.path().join("host.html");
    std::fs::write(&file, host.replace("FRAMES", &frames)).unwrap();
    let (document, console) = read(browser, &file, options);
    assert_eq!(console, Vec::<String>::new());
    let seen = document.split("<pre id=\"seen\">").nth(1).unwrap().split("</pre>").next().unwrap();
    let seen: Vec<Value> = serde_json::from_str(&unquoted(seen)).unwrap();
    assert_eq!(seen.len(), pages.len() * widths.len());
    seen
}

/// Decodes the percent-encoded characters of a text.
fn unquoted(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = (first == b'%').then(|| std::str::from_utf8(&after[..2]).unwrap());
        bytes.push(code.map_or(first, |code| u8::from_str_radix(code, 16).unwrap()));
        rest = &after[if code.is_some() { 2 } else { 0 }..];
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn every_page_is_read_without_complaint_in_all_widths_and_lights() {
    let Some(browser) = chromium() else { return };
    let pages =
        [report::stopped(), report::hostile(), report::empty(), report::exact(), report::crowd()];
    let mut papers = Vec::new();
    for options in [&[][..], &["--blink-settings=preferredColorScheme=0"][..]] {
        let seen = look(&browser, &pages, &[360, 768, 1200, 1920], options);
        for (place, page) in seen.iter().enumerate() {
            let number = |key: &str| page[key].as_u64().unwrap();
            assert_eq!(page["title"], "Tournament");
            // Others are there where there is something to say.
            let all = ["Standings", "Scenarios and seats", "Games to look at", "To repeat it"];
            let headings = page["headings"].as_array().unwrap();
            assert!(all.iter().all(|one| headings.contains(&json!(one))), "{page:#}");
            assert!(page["over"].as_i64().unwrap() <= 0, "page {place} is too wide: {page:#}");
            assert_eq!(page["outside"].as_array().unwrap().len(), 0, "{page:#}");
            assert_eq!(number("titled"), number("pictures"));
            assert_eq!(number("drawn"), number("pictures"));
            assert_eq!(number("captions"), number("tables"));
            assert_eq!((number("images"), number("links"), number("small")), (0, 0, 0), "{page:#}");
            assert_eq!(page["asked"].as_array().unwrap().len(), 0, "{page:#}");
            assert_eq!(page["faint"], json!([]), "a contrast below 4.5");
        }
        papers.push(seen[0]["paper"].clone());
    }
    assert_eq!(papers, ["rgb(252, 252, 250)", "rgb(21, 25, 28)"]);
}

#[test]
fn the_page_of_forty_agents_is_short_until_something_is_opened() {
    let Some(browser) = chromium() else { return };
    for seen in look(&browser, &[report::forty().1], &[1200, 1920], &[]) {
        let height = seen["height"].as_u64().unwrap();
        assert!((1_000..=6_000).contains(&height), "{height} pixels");
        assert!(seen["over"].as_i64().unwrap() <= 0, "{seen:#}");
    }
}

#[test]
fn the_page_of_each_finding_is_read_without_complaint_in_all_widths_and_lights() {
    let Some(browser) = chromium() else { return };
    let pages = crate::commands::pages::all();
    for options in [&[][..], &["--blink-settings=preferredColorScheme=0"][..]] {
        for page in look(&browser, &pages, &[360, 768, 1200, 1920], options) {
            assert!(page["over"].as_i64().unwrap() <= 0, "{page:#}");
            assert_eq!(page["outside"].as_array().unwrap().len(), 0, "{page:#}");
            assert_eq!((&page["titled"], &page["drawn"]), (&page["pictures"], &page["pictures"]));
            assert_eq!(page["captions"], page["tables"], "{page:#}");
            assert_eq!((&page["images"], &page["links"]), (&0.into(), &0.into()), "{page:#}");
            assert_eq!(page["asked"].as_array().unwrap().len(), 0, "{page:#}");
            let faint = page["faint"].as_array().unwrap();
            assert!(faint.is_empty(), "a contrast below 4.5: {faint:?} in {}", page["title"]);
        }
    }
}

#[test]
fn a_replay_with_drawings_is_read_without_complaint_in_all_widths_and_lights() {
    let Some(browser) = chromium() else { return };
    let folder = tempfile::tempdir().unwrap();
    let pages = [replay_page::page(folder.path(), replay_page::STACKS, "")];
    for options in [&[][..], &["--blink-settings=preferredColorScheme=0"][..]] {
        for page in look(&browser, &pages, &[360, 768, 1200, 1920], options) {
            assert!(page["over"].as_i64().unwrap() <= 0, "{page:#}");
            assert_eq!(page["outside"].as_array().unwrap().len(), 0, "{page:#}");
            assert_eq!((&page["titled"], &page["drawn"]), (&page["pictures"], &page["pictures"]));
            assert_eq!(page["asked"].as_array().unwrap().len(), 0, "{page:#}");
            let faint = page["faint"].as_array().unwrap();
            assert!(faint.is_empty(), "a contrast below 4.5: {faint:?}");
        }
    }
}

#[test]
fn a_replay_is_stepped_through_by_keys_buttons_and_the_slider() {
    let Some(browser) = chromium() else { return };
    let folder = tempfile::tempdir().unwrap();
    let pages = [replay_page::page(folder.path(), replay_page::STACKS, "")];
    let [seen] = &within(HANDS, &browser, &pages, &[1200], &[])[..] else { panic!() };
    assert!(seen["controls"].as_u64().unwrap() > 5, "{seen:#}");
    assert_eq!((&seen["unreachable"], &seen["unnamed"]), (&json!([]), &json!([])), "{seen:#}");
    // Each of two players made three tokens: six answers, and the end.
    let places = [
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", 6),
        ("ArrowRight", 6),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("PageDown", 6),
        ("PageUp", 0),
        ("Ctrl+ArrowRight", 0),
        ("ArrowRight in the list of eyes", 0),
        ("on", 1),
        ("end", 6),
        ("back", 5),
        ("first", 0),
        ("the slider", 3),
    ];
    let places = places.map(|(how, at)| json!([how, format!("{at} of 6")]));
    assert_eq!(seen["places"], json!(places));
    let marks = seen["marks"].as_array().unwrap();
    assert!(!marks.is_empty(), "{seen:#}");
    for mark in marks {
        // "choice 2: …" is seen in the frame after the second answer.
        let number = mark[0].as_str().unwrap().split([' ', ':']).nth(1).unwrap();
        assert_eq!(mark[1], format!("{number} of 6"), "{mark}");
    }
}

#[test]
fn tables_of_a_league_are_sorted_by_any_column_and_filtered() {
    let Some(browser) = chromium() else { return };
    let [seen] = &within(HANDS, &browser, &[report::crowd()], &[1200], &[])[..] else { panic!() };
    assert_eq!((&seen["unreachable"], &seen["unnamed"]), (&json!([]), &json!([])), "{seen:#}");
    // What a cell is worth: of points of games their share, else its first number.
    let worth = |cell: &str| {
        let plain = cell.replace(['\u{2009}', ',', ' '], "").replace('−', "-");
        let number = |text: &str| {
            let end = text.find(|letter: char| !letter.is_ascii_digit() && !"+-.".contains(letter));
            text[..end.unwrap_or(text.len())].parse::<f64>().ok()
        };
        match plain.split_once('/') {
            Some((points, games)) => Some(100.0 * number(points)? / number(games)?),
            None => number(&plain),
        }
    };
    let mut ordered = 0;
    for columns in seen["columns"].as_object().unwrap().values() {
        for column in columns.as_array().unwrap() {
            let texts =
                |way: &Value| -> Vec<String> { serde_json::from_value(way.clone()).unwrap() };
            let (up, down) = (texts(&column["up"][1]), texts(&column["down"][1]));
            assert_eq!(
                (&column["up"][0], &column["down"][0]),
                (&json!("ascending"), &json!("descending"))
            );
            let sorted = |mut all: Vec<String>| {
                all.sort();
                all
            };
            assert_eq!(sorted(up.clone()), sorted(texts(&column["before"])));
            let worths: Option<Vec<f64>> = up.iter().map(|cell| worth(cell)).collect();
            if let Some(worths) = worths {
                ordered += 1;
                assert!(worths.is_sorted(), "{up:?}");
                let down: Vec<f64> = down.iter().filter_map(|cell| worth(cell)).collect();
                assert!(down.iter().rev().is_sorted(), "{down:?}");
            }
        }
    }
    assert!(ordered > 3, "{ordered}");
    let filtered = seen["filtered"].as_array().unwrap();
    assert!(!filtered.is_empty() && filtered.iter().all(|all| *all == true), "{filtered:?}");
}

#[test]
fn a_complaint_of_the_browser_is_heard() {
    let Some(browser) = chromium() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.html");
    for (body, heard) in [
        ("<script>nowhere()</script>", "nowhere is not defined"),
        ("<script>console.error('wrong')</script>", "wrong"),
        ("<svg width=\"wide\"></svg>", "width"),
        ("<p>fine</p>", ""),
    ] {
        let page = format!("<!DOCTYPE html><html><body>{body}</body></html>");
        std::fs::write(&file, page).unwrap();
        let (_, console) = read(&browser, &file, &[]);
        match heard {
            "" => assert_eq!(console, Vec::<String>::new()),
            heard => assert!(console.iter().any(|line| line.contains(heard)), "{console:?}"),
        }
    }
}
