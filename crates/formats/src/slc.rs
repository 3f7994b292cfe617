//! The XML of Sokoban for Windows (`.slc`): one `<L>` per row.
//!
//! The external document type is never fetched. Entities other than the five of XML and character references are kept
//! as written, so that no text can expand.

use crate::draft::Draft;
use crate::limits::Budget;
use crate::text::{Cursor, Text};
use crate::{Collection, Findings, ReadError};
use lurd_level::{Cell, Place};
use quick_xml::Reader;
use quick_xml::escape::{escape, resolve_predefined_entity, unescape_with};
use quick_xml::events::{BytesStart, Event};

/// Whether a text begins like XML.
pub(super) fn recognises(start: &str) -> bool {
    let start = start.get(..15).unwrap_or(start).to_ascii_lowercase();
    ["<?xml", "<!doctype", "<!--", "<sokobanlevels"].iter().any(|word| start.starts_with(word))
}

pub(super) fn read(text: &Text, budget: &mut Budget) -> Result<Findings, ReadError> {
    let mut reader = Reader::from_str(text.as_str());
    reader.config_mut().allow_dangling_amp = true;
    let mut file = File { cursor: text.cursor(), findings: Findings::default(), level: None, words: None };
    let mut depth = 0_usize;
    loop {
        let start = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => {
                let byte = usize::try_from(reader.error_position()).unwrap_or(usize::MAX);
                return Err(ReadError::Xml { place: file.cursor.place(byte), what: error.to_string() });
            }
        };
        match event {
            Event::Start(tag) => {
                depth += 1;
                let after = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
                let place = file.cursor.place(after);
                file.open(&tag, place);
            }
            Event::Empty(tag) => {
                let place = file.cursor.place(start);
                file.open(&tag, place);
                file.close(tag.local_name().as_ref(), budget)?;
            }
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                file.close(tag.local_name().as_ref(), budget)?;
            }
            Event::Text(words) => file.words(&String::from_utf8_lossy(&words)),
            Event::CData(words) => file.words(&String::from_utf8_lossy(&words)),
            Event::GeneralRef(reference) => {
                let name = String::from_utf8_lossy(&reference).into_owned();
                match (reference.resolve_char_ref(), resolve_predefined_entity(&name)) {
                    (Ok(Some(c)), _) => file.words(c.encode_utf8(&mut [0; 4])),
                    (_, Some(words)) => file.words(words),
                    _ => file.words(&format!("&{name};")),
                }
            }
            Event::Eof if depth > 0 => {
                let place = file.cursor.place(start);
                return Err(ReadError::Xml {
                    place,
                    what: "the file ends before all its elements are closed".to_owned(),
                });
            }
            Event::Eof => return Ok(file.findings),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}

/// The state of the reader.
struct File<'a> {
    cursor: Cursor<'a>,
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

impl File<'_> {
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
            (b"Title", Some((text, _))) if self.level.is_none() => self.findings.title = title(&text),
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

fn title(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

fn attribute(tag: &BytesStart<'_>, name: &[u8]) -> Option<String> {
    // The check for duplicate attributes is quadratic in the length of the tag.
    let value = tag.attributes().with_checks(false).flatten().find(|attribute| attribute.key.as_ref() == name)?;
    let raw = String::from_utf8_lossy(&value.value).into_owned();
    title(&unescape_with(&raw, resolve_predefined_entity).map_or(raw.clone(), |text| text.into_owned()))
}

/// Writes the XML, in UTF-8.
pub(super) fn write(collection: &Collection) -> String {
    let clean = |text: &str| escape(crate::xsb::one_line(text)).into_owned();
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE SokobanLevels SYSTEM \"SokobanLev.dtd\">\n<SokobanLevels>\n",
    );
    out.push_str(&format!(
        "  <Title>{}</Title>\n  <Description>",
        clean(collection.title.as_deref().unwrap_or("Levels"))
    ));
    let notes: Vec<String> = collection.notes.iter().map(|note| clean(note)).collect();
    out.push_str(&notes.join("\n"));
    out.push_str("</Description>\n");
    let widest = collection.levels.iter().map(|level| level.map.width()).max().unwrap_or(0);
    let highest = collection.levels.iter().map(|level| level.map.height()).max().unwrap_or(0);
    let copyright =
        |author: Option<&str>| author.map_or(String::new(), |name| format!(" Copyright=\"{}\"", clean(name)));
    let of_all = copyright(collection.author.as_deref());
    out.push_str(&format!("  <LevelCollection{of_all} MaxWidth=\"{widest}\" MaxHeight=\"{highest}\">\n"));
    for level in &collection.levels {
        let id = level.title.clone().unwrap_or_else(|| level.number.to_string());
        let (width, height) = (level.map.width(), level.map.height());
        let own = copyright(level.author.as_deref());
        out.push_str(&format!("    <Level Id=\"{}\" Width=\"{width}\" Height=\"{height}\"{own}>\n", clean(&id)));
        for row in level.map.rows() {
            out.push_str(&format!("      <L>{row}</L>\n"));
        }
        out.push_str("    </Level>\n");
    }
    out.push_str("  </LevelCollection>\n</SokobanLevels>\n");
    out
}
