//! Says how many operations ran since the last question.

use std::rc::Rc;

use crate::script::questions::context::Context;
use crate::script::rules::Rules;
use crate::script::sandbox::meter::price;

/// What runs of some rules cost, piece by piece.
#[derive(Clone)]
pub(crate) struct OperationGauge(pub(in crate::script) Rc<Context>);

impl OperationGauge {
    /// What the pieces cost that have ended since this was asked last; at a question, the one that led
    /// there has ended.
    pub(crate) fn take_due(&self) -> u64 {
        self.0.meter.take_due()
    }

    /// What the last call outside a playout cost.
    pub(crate) fn last(&self) -> u64 {
        price(self.0.meter.counted())
    }

    /// The same of the views that were made.
    pub(crate) fn take_views(&self) -> u64 {
        self.0.meter.take_views()
    }

    /// Counts calls from none again, where they are counted.
    pub(crate) fn forget_calls(&self) {
        if self.0.calls.is_counting() {
            self.0.calls.forget();
        }
    }
}

impl Rules {
    /// Reads what runs of these rules cost.
    pub(crate) fn gauge(&self) -> OperationGauge {
        OperationGauge(self.context.clone())
    }
}
