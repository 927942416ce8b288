//! Tests the report page in Chromium, on a phone and on a desk, in light and in dark: it loads
//! without complaint.
//!
//! Without Chromium the tests print that they are skipped; but with `FRACAS_BROWSER_REQUIRED` set,
//! as `.ci/run` does where it can install one, they fail.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

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
    let host = folder.path().join("host.html");
    std::fs::write(&host, HOST.replace("FRAMES", &frames)).unwrap();
    let (document, console) = read(browser, &host, options);
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
        let seen = look(&browser, &pages, &[390, 1280], options);
        for (place, page) in seen.iter().enumerate() {
            let number = |key: &str| page[key].as_u64().unwrap();
            assert_eq!(page["title"], "Tournament");
            assert_eq!(page["headings"].as_array().unwrap().len(), 7, "{page:#}");
            assert!(page["over"].as_i64().unwrap() <= 0, "page {place} is too wide: {page:#}");
            assert_eq!(page["outside"].as_array().unwrap().len(), 0, "{page:#}");
            assert_eq!(number("titled"), number("pictures"));
            assert_eq!(number("drawn"), number("pictures"));
            assert_eq!(number("captions"), number("tables"));
            assert_eq!((number("images"), number("links"), number("small")), (0, 0, 0), "{page:#}");
            assert_eq!(page["asked"].as_array().unwrap().len(), 0, "{page:#}");
        }
        papers.push(seen[0]["paper"].clone());
    }
    assert_eq!(papers, ["rgb(252, 252, 250)", "rgb(21, 25, 28)"]);
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
