//! What two searches opened, as lines of text: a bar for each number of pushes from the start.

use lurd_lessons::SearchPicture;

/// Narrower pictures say nothing.
const NARROWEST: usize = 36;

/// The picture in lines of at most `width` characters, and at most so many of them: where there are more numbers of pushes,
/// neighbours share a bar. Empty where there is no room for it.
pub(crate) fn lines(pictures: &[SearchPicture; 2], width: usize, most: usize) -> Vec<String> {
    if width < NARROWEST || most < 3 {
        return Vec::new();
    }
    let layers = pictures.iter().map(|picture| picture.layers.len()).max().unwrap_or(0).max(1);
    let together = layers.div_ceil(most - 1);
    let counts =
        |picture: &SearchPicture, from: usize| -> u64 { picture.layers.iter().skip(from).take(together).sum() };
    let starts = (0..layers).step_by(together);
    let highest = starts.clone().flat_map(|from| pictures.iter().map(move |picture| counts(picture, from))).max();
    let highest = highest.unwrap_or(0).max(1);
    // The number of pushes, and for each search a bar and its count.
    let half = (width - 7) / 2;
    let bar = half - 8;
    let title = |picture: &SearchPicture| -> String { picture.name.chars().take(half - 1).collect() };
    let mut lines = vec![format!("pushes {:<half$}{}", title(&pictures[0]), title(&pictures[1]))];
    for from in starts {
        let side = |picture: &SearchPicture| {
            let count = counts(picture, from);
            let length = (count as usize * bar).div_ceil(highest as usize);
            format!("{} {count}", "#".repeat(length))
        };
        let [left, right] = [side(&pictures[0]), side(&pictures[1])];
        lines.push(format!("{from:>6} {left:<half$}{right}"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(layers: &[u64]) -> SearchPicture {
        SearchPicture {
            name: "a search",
            expanded: layers.iter().sum(),
            pushes: 3,
            visits: Vec::new(),
            layers: layers.to_vec(),
        }
    }

    #[test]
    fn bars_are_on_one_scale_and_fit() {
        let pictures = [picture(&[1, 40, 80, 2]), picture(&[1, 4])];
        let told = lines(&pictures, 60, 20);
        assert_eq!(told.len(), 5);
        assert!(told.iter().all(|line| line.chars().count() <= 60), "{told:#?}");
        let bars: Vec<usize> = told.iter().map(|line| line.matches('#').count()).collect();
        assert_eq!(bars, [0, 2, 10, 18, 1], "{told:#?}");
        assert_eq!(lines(&pictures, 60, 3).len(), 3, "neighbours share a bar");
        assert!(lines(&pictures, 20, 20).is_empty() && lines(&pictures, 60, 2).is_empty());
    }
}
