//! Moments for people.

/// A moment in seconds since 1970 as `2026-11-17 02:39` in universal time.
///
/// ```
/// assert_eq!(lurd_library::date(1_794_876_000), "2026-11-17 00:40");
/// assert_eq!(lurd_library::date(951_827_696), "2000-02-29 12:34");
/// ```
pub fn date(seconds: i64) -> String {
    let (days, minutes) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400) / 60);
    // Years that begin in March, so that the leap day comes last; 400 of them have 146,097 days.
    let shifted = days + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, year) = if month < 10 { (month + 3, year) } else { (month - 9, year + 1) };
    format!("{:04}-{month:02}-{day:02} {:02}:{:02}", year + 400 * era, minutes / 60, minutes % 60)
}
