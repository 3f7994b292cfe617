//! The XML of Sokoban for Windows (`.slc`): one `<L>` per row.
//!
//! The external document type is never fetched.

use crate::draft::Draft;
use crate::limits::Budget;
use crate::text::Text;
use crate::xml::{self, Elements, attribute, escaped, one_line};
use crate::{Collection, Findings, ReadError};
use lurd_level::{Cell, Place};
use quick_xml::events::BytesStart;

/// Whether a text begins like XML.
pub(super) fn recognises(start: &str) -> bool {
    let start = start.get(..16).unwrap_or(start).to_ascii_lowercase();
    ["<?xml", "<!doctype", "<!--", "<sokobanlevels", "<sokobanlibrary"].iter().any(|word| start.starts_with(word))
}

pub(super) fn read(text: &Text, budget: &mut Budget) -> Result<Findings, ReadError> {
    let mut file = File::default();
    xml::walk(text, budget, &mut file)?;
    Ok(file.findings)
}

/// The state of the reader.
#[derive(Default)]
struct File {
    findings: Findings,
    level: Option<Box<OpenLevel>>,
    /// The text of the current element, if it is one that is read, and its place.
    words: Option<(String, Place)>,
}

/// A level element that is not closed yet.
struct OpenLevel {
    draft: Draft,
    place: Place,
    title: Option<String>,
    author: Option<String>,
}

impl Elements for File {
    fn open(&mut self, tag: &BytesStart<'_>, place: Place) {
        match tag.local_name().as_ref() {
            b"Level" => {
                let (title, author) = (attribute(tag, b"Id"), attribute(tag, b"Copyright"));
                self.level = Some(Box::new(OpenLevel { draft: Draft::default(), place, title, author }));
            }
            b"LevelCollection" => {
                if let Some(copyright) = attribute(tag, b"Copyright") {
                    self.findings.author.get_or_insert(copyright);
                }
            }
            b"L" | b"Title" | b"Description" | b"Email" | b"Url" => self.words = Some((String::new(), place)),
            _ => {}
        }
    }

    fn words(&mut self, words: &str) {
        if let Some((text, _)) = &mut self.words {
            text.push_str(words);
        }
    }

    fn close(&mut self, name: &[u8], budget: &mut Budget) -> Result<(), ReadError> {
        match (name, self.words.take()) {
            (b"L", Some((text, place))) => {
                if let Some(level) = &mut self.level {
                    let cell = |c| Cell::from_xsb(if c == '\u{a0}' { ' ' } else { c });
                    level.draft.text_row(place, &text, cell);
                }
            }
            (b"Title", Some((text, _))) if self.level.is_none() => self.findings.title = one_line(&text),
            (b"Description", Some((text, _))) => {
                let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
                self.findings.notes.extend(lines.take_while(|_| budget.note()).map(str::to_owned));
            }
            (b"Email" | b"Url", Some((text, _))) if !text.trim().is_empty() && budget.note() => {
                self.findings.notes.push(format!("{}: {}", String::from_utf8_lossy(name), text.trim()));
            }
            (b"Level", _) => {
                if let Some(open) = self.level.take() {
                    self.end_level(*open, budget)?;
                }
            }
            (_, words) => self.words = words,
        }
        Ok(())
    }
}

impl File {
    fn end_level(&mut self, open: OpenLevel, budget: &mut Budget) -> Result<(), ReadError> {
        let empty = open.draft.is_empty();
        let mut found = self.findings.found(open.draft.finish(budget)?);
        (found.level.title, found.level.author) = (open.title, open.author);
        if empty {
            found.level.place = open.place;
            found.defect = found.defect.map(|(_, kind)| (open.place, kind));
        }
        self.findings.found.push(found);
        Ok(())
    }
}

/// Writes the XML, in UTF-8.
pub(super) fn write(collection: &Collection) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE SokobanLevels SYSTEM \"SokobanLev.dtd\">\n<SokobanLevels>\n",
    );
    out.push_str(&format!(
        "  <Title>{}</Title>\n  <Description>",
        escaped(collection.title.as_deref().unwrap_or("Levels"))
    ));
    let notes: Vec<String> = collection.notes.iter().map(|note| escaped(note)).collect();
    out.push_str(&notes.join("\n"));
    out.push_str("</Description>\n");
    let widest = collection.levels.iter().map(|level| level.map.width()).max().unwrap_or(0);
    let highest = collection.levels.iter().map(|level| level.map.height()).max().unwrap_or(0);
    let copyright =
        |author: Option<&str>| author.map_or(String::new(), |name| format!(" Copyright=\"{}\"", escaped(name)));
    let of_all = copyright(collection.author.as_deref());
    out.push_str(&format!("  <LevelCollection{of_all} MaxWidth=\"{widest}\" MaxHeight=\"{highest}\">\n"));
    for level in &collection.levels {
        let id = level.title.clone().unwrap_or_else(|| level.number.to_string());
        let (width, height) = (level.map.width(), level.map.height());
        let own = copyright(level.author.as_deref());
        out.push_str(&format!("    <Level Id=\"{}\" Width=\"{width}\" Height=\"{height}\"{own}>\n", escaped(&id)));
        for row in level.map.rows() {
            out.push_str(&format!("      <L>{row}</L>\n"));
        }
        out.push_str("    </Level>\n");
    }
    out.push_str("  </LevelCollection>\n</SokobanLevels>\n");
    out
}
