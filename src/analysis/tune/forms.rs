//! How wishes are written, and what each form means.

/// Each form of a wish with what it means.
pub(crate) const WISHES: [(&str, &str); 7] = [
    (
        "MEASURE <= V",
        "A measure of the portrait is at most so much; `<`, `>=` and `>` likewise. `length <= 20`, `result.draw < 1/4`, \
         `ties >= 5 %`. A number of the outcome is named by its path: `outcome.cities.left >= 2`.",
    ),
    (
        "MEASURE = V within X",
        "A measure is no more than X away from V: `drama.comeback = 0.3 within 0.05`. What is nearer comes first.",
    ),
    ("MEASURE within X", "The same with 0 for V: `fairness.first_seat within 0.1`."),
    (
        "fairness within X",
        "The seats are no more than X apart: the greatest of `fairness.utility.SEAT` less the least. `fairness.wins`, \
         `fairness.value` and `strategy.entropy` stand for how far their seats are apart too.",
    ),
    (
        "length, choice, luck, skill",
        "For `length.decisions`, `choice.options`, `luck.chance` and `skill.rungs`.",
    ),
    (
        "order",
        "What misses the wishes by less comes first, each miss counted in parts of what was asked for: X, or the bound V. \
         Of what holds all, what is nearest to the V of `within`, then what has more room to the bounds. Where nothing \
         holds all, and the best for one wish is not the best for another, the Pareto front is told: those of which \
         none misses some wish by less and no wish by more.",
    ),
    (
        "holds",
        "`sure` and `no` are exact, or proven. From playouts a candidate is `likely` to hold all wishes, or `unlikely`, \
         where an error in any candidate has a chance of 5 % at most; else it `cannot tell`. All wishes are tested at \
         once (Berger, Technometrics 24, 1982), the number of candidates is corrected for by Holm (Scandinavian \
         Journal of Statistics 6, 1979); p is the corrected probability.\n\nUp to 32 candidates are measured in full. Of \
         more, each gets few playouts under the same seed, the better half of them twice as many, and so on until 32 \
         are left (successive halving: Karnin, Koren and Somekh, 2013).",
    ),
];
