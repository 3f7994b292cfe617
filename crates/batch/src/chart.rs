//! The chart of solved levels over time, as inline SVG.

use std::fmt::Write;

/// A line of the chart: the seconds after which each level was solved, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What the legend calls it.
    pub name: String,
    /// Sorted seconds.
    pub seconds: Vec<f64>,
}

/// Levels solved within a time, the time on a logarithmic axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The lines.
    pub series: Vec<Series>,
    /// All levels: the top of the chart.
    pub levels: usize,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 40.0;

impl Chart {
    /// The exponents of ten at both ends of the axis of time.
    fn decades(&self) -> (i32, i32) {
        let all = || self.series.iter().flat_map(|series| &series.seconds).copied().filter(|&seconds| seconds > 0.0);
        let least = all().fold(f64::INFINITY, f64::min);
        let most = all().fold(0.0, f64::max);
        if most == 0.0 {
            return (-2, 1);
        }
        let first = (least.log10().floor() as i32).max(-3);
        (first, (most.log10().ceil() as i32).max(first + 1))
    }

    /// The chart as SVG; its colours are those of the page, by classes.
    pub fn svg(&self) -> String {
        let (first, last) = self.decades();
        let x = |seconds: f64| {
            let share = (seconds.max(1e-9).log10() - f64::from(first)) / f64::from(last - first);
            LEFT + share.clamp(0.0, 1.0) * (WIDTH - LEFT - RIGHT)
        };
        let top = self.levels.max(1) as f64;
        let y = |solved: f64| HEIGHT - BOTTOM - solved / top * (HEIGHT - TOP - BOTTOM);
        let mut svg = format!(
            "<svg class=\"chart\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\
             <title>Levels solved within a time</title>"
        );
        for exponent in first..=last {
            let at = x(10_f64.powi(exponent));
            let label = if exponent < 0 {
                format!("{:.*}", -exponent as usize, 10_f64.powi(exponent))
            } else {
                format!("{}", 10_u64.pow(exponent as u32))
            };
            let _ = write!(
                svg,
                "<path class=\"grid\" d=\"M{at:.1} {TOP}V{:.1}\"/><text class=\"tick\" text-anchor=\"middle\" x=\"{at:.1}\" y=\"{:.1}\">{label} s</text>",
                HEIGHT - BOTTOM,
                HEIGHT - BOTTOM + 18.0
            );
        }
        let step = step(self.levels);
        for solved in (0..=self.levels).step_by(step) {
            let at = y(solved as f64);
            let _ = write!(
                svg,
                "<path class=\"grid\" d=\"M{LEFT} {at:.1}H{:.1}\"/><text class=\"tick\" text-anchor=\"end\" x=\"{:.1}\" y=\"{:.1}\">{solved}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                at + 4.0
            );
        }
        for (place, series) in self.series.iter().enumerate() {
            let mut path = format!("M{:.1} {:.1}", x(0.0), y(0.0));
            for (solved, &seconds) in series.seconds.iter().enumerate() {
                let _ = write!(path, "H{:.1}V{:.1}", x(seconds), y((solved + 1) as f64));
            }
            let _ = write!(path, "H{:.1}", WIDTH - RIGHT);
            let _ = write!(svg, "<path class=\"line line-{place}\" d=\"{path}\"/>");
        }
        svg + "</svg>"
    }
}

/// The distance of grid lines: 1, 2 or 5 times a power of ten, some five lines in all.
fn step(levels: usize) -> usize {
    let mut power = 1;
    loop {
        for step in [power, 2 * power, 5 * power] {
            if levels / step <= 6 {
                return step;
            }
        }
        power *= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_has_a_line_for_each_series_and_takes_any_times() {
        let series = |seconds: &[f64]| Series { name: "a".into(), seconds: seconds.to_vec() };
        let chart = Chart { series: vec![series(&[0.0, 0.02, 5.0, 70.0]), series(&[])], levels: 90 };
        let svg = chart.svg();
        assert_eq!(chart.decades(), (-2, 2));
        assert_eq!(svg.matches("class=\"line line-").count(), 2);
        assert!(svg.contains(">0.01 s<") && svg.contains(">100 s<") && svg.contains(">80<"), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        assert!(!Chart { series: vec![], levels: 0 }.svg().contains("NaN"));
    }

    #[test]
    fn grid_lines_are_round_and_few() {
        assert_eq!([0, 6, 7, 90, 1200, 100_000].map(step), [1, 1, 2, 20, 200, 20_000]);
    }
}
