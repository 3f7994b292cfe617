//! A report as one HTML file that needs nothing else: styles, charts and boards are inside.

use crate::document::{Document, Section, Table};
use lurd_library::{escape, svg};
use std::fmt::Write;

/// Colours for light and dark, chosen by the reader's system.
const STYLE: &str = "
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1f2933; --soft: #5b6774; --rule: #d5dbe1; --stripe: #f4f6f8;
  --a: #1d4ed8; --b: #c2410c; --wall: #6b7280; --floor: #e5e7eb; --box: #b45309; --goal: #dc2626; --placed: #15803d; }
@media (prefers-color-scheme: dark) { :root { --paper: #14181d; --ink: #e6eaee; --soft: #9aa6b2; --rule: #343c45;
  --stripe: #1b2127; --a: #7aa2ff; --b: #ff9a5c; --wall: #59636e; --floor: #262d35; --box: #d08a3e; --goal: #ff7b72;
  --placed: #4cbb6c; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.2rem; margin-top: 2.4rem; }
p { max-width: 60rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; text-align: left; border-bottom: 1px solid var(--rule); vertical-align: top; }
th { color: var(--soft); font-weight: 600; position: sticky; top: 0; background: var(--paper); white-space: nowrap; }
tbody tr:nth-child(even) { background: var(--stripe); }
.figure { text-align: right; white-space: nowrap; }
.chart { width: 100%; max-width: 60rem; height: auto; display: block; }
.grid { stroke: var(--rule); fill: none; } .tick { fill: var(--soft); font-size: 12px; }
.line { fill: none; stroke-width: 2; } .line-0 { stroke: var(--a); } .line-1 { stroke: var(--b); stroke-dasharray: 6 3; }
.legend span { margin-right: 1.5rem; } .legend i { display: inline-block; width: 1.6rem; border-top: 3px solid var(--a);
  vertical-align: middle; margin-right: .4rem; } .legend i.second { border-top: 3px dashed var(--b); }
.boards { display: flex; flex-wrap: wrap; gap: 1rem; padding: 0; margin: 0; list-style: none; }
.boards li { width: 11rem; } .boards figure { margin: 0; } .boards figcaption { overflow-wrap: anywhere; font-size: .85rem; }
.boards small { color: var(--soft); display: block; }
.board { max-width: 100%; height: auto; }
.wall { fill: var(--wall); } .floor { fill: var(--floor); } .box { fill: var(--box); } .goal { fill: var(--goal); }
.placed { fill: var(--placed); } .player { fill: var(--a); }
/* The chart shrinks with the page, and its letters with it. */
@media (max-width: 40rem) { .tick { font-size: 19px; } }
@media print { body { max-width: none; } }
";

/// The report as a page.
pub fn html(document: &Document) -> String {
    let title = escape(&document.title);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    for part in &document.sections {
        section(&mut page, part);
    }
    page + "</body>\n</html>\n"
}

fn section(page: &mut String, section: &Section) {
    let _ = writeln!(page, "<section>\n<h2>{}</h2>", escape(&section.heading));
    if !section.text.is_empty() {
        let _ = writeln!(page, "<p>{}</p>", escape(&section.text));
    }
    if let Some(chart) = &section.chart {
        if chart.series.len() > 1 {
            page.push_str("<p class=\"legend\">");
            for (place, series) in chart.series.iter().enumerate() {
                let class = if place == 0 { "" } else { " class=\"second\"" };
                let _ = write!(page, "<span><i{class}></i>{}</span>", escape(&series.name));
            }
            page.push_str("</p>\n");
        }
        let _ = writeln!(page, "{}", chart.svg());
    }
    if let Some(table) = section.table.as_ref().filter(|table| !table.rows.is_empty()) {
        rows(page, table);
    }
    if !section.boards.is_empty() {
        page.push_str("<ul class=\"boards\">\n");
        for board in &section.boards {
            let _ = writeln!(
                page,
                "<li><figure>{}<figcaption>{}<small>{}</small></figcaption></figure></li>",
                svg(&board.map, 176, &board.label),
                escape(&board.label),
                escape(&board.remark)
            );
        }
        page.push_str("</ul>\n");
    }
    page.push_str("</section>\n");
}

fn rows(page: &mut String, table: &Table) {
    let columns: Vec<&str> = table.columns.split('|').collect();
    let class = |column: &str| if column.starts_with('>') { " class=\"figure\"" } else { "" };
    page.push_str("<div class=\"scroll\"><table>\n<thead><tr>");
    for column in &columns {
        let _ = write!(page, "<th scope=\"col\"{}>{}</th>", class(column), escape(column.trim_start_matches('>')));
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        page.push_str("<tr>");
        for (cell, column) in row.iter().zip(&columns) {
            let _ = write!(page, "<td{}>{}</td>", class(column), escape(cell));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody>\n</table></div>\n");
}
