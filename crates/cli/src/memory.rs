//! How much memory a search may take when the user does not say.
//!
//! The default is 80 % of what this process can still get: the least of what the
//! machine has available, what is left of the limits of its control groups (a
//! container's limit), and its address-space limit. A search that is refused memory
//! by the system is killed without a word; one that knows its limit says so. Only
//! Linux has control groups and shows its limits in files; Windows is asked for its memory.

use std::fs;
use std::path::{Path, PathBuf};

/// What is assumed where the system does not say.
const FALLBACK: usize = 4 << 30;

/// 80 % of the memory available to this process.
pub fn default_limit() -> usize {
    let available = [machine(), control_groups(), address_space()].into_iter().flatten().min().unwrap_or(FALLBACK);
    available / 5 * 4
}

/// `MemAvailable` of the machine.
#[cfg(target_os = "linux")]
fn machine() -> Option<usize> {
    mem_available(&fs::read_to_string("/proc/meminfo").ok()?)
}

/// What Windows can still give: physical memory, and no more than it promises to find room for.
#[cfg(windows)]
#[allow(unsafe_code, reason = "the standard library does not ask Windows for its memory")]
fn machine() -> Option<usize> {
    use windows_sys::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};
    let mut status = MEMORYSTATUSEX { dwLength: size_of::<MEMORYSTATUSEX>() as u32, ..MEMORYSTATUSEX::default() };
    // Safety: the record tells its own size, and lives during the call.
    let told = unsafe { GlobalMemoryStatusEx(&raw mut status) } != 0;
    let available = status.ullAvailPhys.min(status.ullAvailPageFile);
    told.then(|| usize::try_from(available).unwrap_or(usize::MAX))
}

/// Other systems are not asked.
#[cfg(not(any(target_os = "linux", windows)))]
fn machine() -> Option<usize> {
    None
}

#[cfg(any(target_os = "linux", test))]
fn mem_available(meminfo: &str) -> Option<usize> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// What is left of the tightest control group this process is in, both versions of them.
fn control_groups() -> Option<usize> {
    let memberships = fs::read_to_string("/proc/self/cgroup").ok()?;
    memberships.lines().flat_map(control_group_folders).filter_map(|group| group.left()).min()
}

/// A folder that shows a control group's limit and use.
struct ControlGroup {
    folder: PathBuf,
    limit: &'static str,
    used: &'static str,
}

impl ControlGroup {
    fn left(&self) -> Option<usize> {
        let read = |name| fs::read_to_string(self.folder.join(name)).ok()?.trim().parse::<usize>().ok();
        Some(read(self.limit)?.saturating_sub(read(self.used)?))
    }
}

/// The folders of one line of `/proc/self/cgroup`, the group's own first, then its parents:
/// a limit of any of them counts.
fn control_group_folders(membership: &str) -> Vec<ControlGroup> {
    let mut fields = membership.splitn(3, ':').skip(1);
    let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { return Vec::new() };
    let (root, limit, used) = if controllers.is_empty() {
        ("/sys/fs/cgroup", "memory.max", "memory.current")
    } else if controllers.split(',').any(|controller| controller == "memory") {
        ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes")
    } else {
        return Vec::new();
    };
    Path::new(path)
        .ancestors()
        .map(|path| Path::new(root).join(path.strip_prefix("/").unwrap_or(path)))
        .map(|folder| ControlGroup { folder, limit, used })
        .collect()
}

/// The soft limit on address space (`ulimit -v`).
fn address_space() -> Option<usize> {
    address_space_limit(&fs::read_to_string("/proc/self/limits").ok()?)
}

fn address_space_limit(limits: &str) -> Option<usize> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_is_read() {
        assert_eq!(mem_available("MemTotal: 9 kB\nMemAvailable:     1000 kB\n"), Some(1_024_000));
        assert_eq!(mem_available("MemTotal: 9 kB\n"), None);
    }

    #[test]
    fn the_address_space_is_read() {
        let limits = "Limit Soft Hard Units\nMax address space         1000000   unlimited   bytes\n";
        assert_eq!(address_space_limit(limits), Some(1_000_000));
        assert_eq!(address_space_limit("Max address space         unlimited   unlimited   bytes\n"), None);
    }

    #[test]
    fn a_group_and_its_parents_count() {
        let folders =
            |line| -> Vec<PathBuf> { control_group_folders(line).into_iter().map(|group| group.folder).collect() };
        assert_eq!(folders("0::/a/b"), ["/sys/fs/cgroup/a/b", "/sys/fs/cgroup/a", "/sys/fs/cgroup"].map(PathBuf::from));
        assert_eq!(folders("4:memory:/a"), ["/sys/fs/cgroup/memory/a", "/sys/fs/cgroup/memory"].map(PathBuf::from));
        assert!(folders("5:devices:/a").is_empty());
        assert!(folders("nonsense").is_empty());
    }

    #[test]
    fn the_default_is_a_sensible_amount() {
        assert!(default_limit() > 1 << 20);
    }
}
