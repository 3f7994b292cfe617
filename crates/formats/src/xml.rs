//! Walks through XML, for the formats that are written in it.
//!
//! Entities other than the five of XML and character references are kept as written, so that no text can expand.

use crate::ReadError;
use crate::limits::Budget;
use crate::text::Text;
use lurd_level::Place;
use quick_xml::Reader;
use quick_xml::escape::{escape, resolve_predefined_entity, unescape_with};
use quick_xml::events::{BytesStart, Event};

/// What a format does with the parts of a file.
pub(super) trait Elements {
    /// An element begins; its content is at `place`.
    fn open(&mut self, tag: &BytesStart<'_>, place: Place);
    /// Text inside the current element.
    fn words(&mut self, words: &str);
    /// An element ends.
    fn close(&mut self, name: &[u8], budget: &mut Budget) -> Result<(), ReadError>;
}

pub(super) fn walk(text: &Text, budget: &mut Budget, elements: &mut impl Elements) -> Result<(), ReadError> {
    let mut reader = Reader::from_str(text.as_str());
    reader.config_mut().allow_dangling_amp = true;
    let mut cursor = text.cursor();
    let mut depth = 0_usize;
    loop {
        let start = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => {
                let byte = usize::try_from(reader.error_position()).unwrap_or(usize::MAX);
                return Err(ReadError::Xml { place: cursor.place(byte), what: error.to_string() });
            }
        };
        match event {
            Event::Start(tag) => {
                depth += 1;
                let after = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
                elements.open(&tag, cursor.place(after));
            }
            Event::Empty(tag) => {
                elements.open(&tag, cursor.place(start));
                elements.close(tag.local_name().as_ref(), budget)?;
            }
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                elements.close(tag.local_name().as_ref(), budget)?;
            }
            Event::Text(words) => elements.words(&String::from_utf8_lossy(&words)),
            Event::CData(words) => elements.words(&String::from_utf8_lossy(&words)),
            Event::GeneralRef(reference) => {
                let name = String::from_utf8_lossy(&reference).into_owned();
                match (reference.resolve_char_ref(), resolve_predefined_entity(&name)) {
                    (Ok(Some(c)), _) => elements.words(c.encode_utf8(&mut [0; 4])),
                    (_, Some(words)) => elements.words(words),
                    _ => elements.words(&format!("&{name};")),
                }
            }
            Event::Eof if depth > 0 => {
                let what = "the file ends before all its elements are closed".to_owned();
                return Err(ReadError::Xml { place: cursor.place(start), what });
            }
            Event::Eof => return Ok(()),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}

/// The words of a text on one line; none if there are none.
pub(super) fn one_line(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// The value of an attribute.
pub(super) fn attribute(tag: &BytesStart<'_>, name: &[u8]) -> Option<String> {
    // The check for duplicate attributes is quadratic in the length of the tag.
    let value = tag.attributes().with_checks(false).flatten().find(|attribute| attribute.key.as_ref() == name)?;
    let raw = String::from_utf8_lossy(&value.value).into_owned();
    one_line(&unescape_with(&raw, resolve_predefined_entity).map_or(raw.clone(), |text| text.into_owned()))
}

/// A text as XML holds it, on one line.
pub(super) fn escaped(text: &str) -> String {
    escape(crate::xsb::one_line(text)).into_owned()
}
