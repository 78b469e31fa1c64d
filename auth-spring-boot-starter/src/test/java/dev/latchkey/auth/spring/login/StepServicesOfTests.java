package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.AuthPlugin;

/** The step of this package's tests, for tests of other packages. */
public final class StepServicesOfTests {

    public static final String CODE = StepPlugin.CODE;

    private StepServicesOfTests() {}

    public static AuthPlugin step() {
        return new StepPlugin();
    }
}
