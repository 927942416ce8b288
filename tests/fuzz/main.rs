//! Fuzz targets: one for each format of files, for programs, and for what is typed. None may panic, and
//! none may take long.
//!
//! `cargo test --test fuzz` runs each for a second, `FRACAS_FUZZ_SECONDS=600` for as long as that;
//! `cargo bolero test --engine libfuzzer` runs one with coverage. An input is a list of changes to a seed:
//! the seeds are the rules, scenarios, cases, specs and scripts of the repository, and those in `seeds`.

mod calls;
mod change;
mod charges;
mod files;
mod programs;
mod results;
mod target;
mod tokens;

/// A target with its seeds and what is done with each input.
#[macro_export]
macro_rules! target {
    ($name:ident, $seeds:expr, $run:expr) => {
        #[test]
        fn $name() {
            $crate::target::on_large_stack(|| {
                let target = $crate::target::Target::new(stringify!($name), $seeds);
                let mut both = std::panic::AssertUnwindSafe((target, $run));
                let (target, run) = &mut both.0;
                target.begin(run);
                bolero::check!()
                    .with_max_len(64)
                    .with_iterations(usize::MAX)
                    .with_test_time($crate::target::time())
                    .with_shrink_time(std::time::Duration::from_secs(5))
                    .for_each(|bytes: &[u8]| {
                        let both = &both;
                        both.0.0.run(bytes, &both.0.1);
                    });
                both.0.0.tell();
            });
        }
    };
}
