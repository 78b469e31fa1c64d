package dev.latchkey.auth.test;

import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/** Clears the state of the previous test before each test method with {@link AutoConfigureLatchkeyTest}. */
final class FreshStateTestExecutionListener implements TestExecutionListener, Ordered {

    /** After the injection of the test's fields, and before the set-up of data and security contexts. */
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
