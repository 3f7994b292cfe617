#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| lurd_fuzz::level_files(data));
