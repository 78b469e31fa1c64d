package dev.latchkey.auth.test;

import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/** Begins each test method of a context that {@link AutoConfigureLatchkeyTest} has made without what the one before it left. */
final class FreshStateTestExecutionListener implements TestExecutionListener, Ordered {

    /** Behind the injection of the test's fields, and before what sets up data and security contexts for its method. */
    private static final int ORDER = 2_100;

    @Override
    public void beforeTestMethod(TestContext test) {
        if (test.hasApplicationContext()) {
            test.getApplicationContext().getBeanProvider(FreshState.class).ifAvailable(FreshState::begin);
        }
    }

    @Override
    public int getOrder() {
        return ORDER;
    }
}
