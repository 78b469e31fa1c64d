package dev.latchkey.auth.engine;

import dev.latchkey.auth.Authenticated;
import org.jspecify.annotations.Nullable;

/**
 * The use of one response to a step. A plugin accepts a one-time code only once. After an outage behind a passed step, the same
 * response goes on with the same use, and the plugin is not asked again.
 *
 * <p>For a single thread at a time.
 */
public final class StepUse {

    private @Nullable Authenticated passed;

    /** The use of a response that no plugin has checked yet. */
    public StepUse() {}

    /** The login after the step; null before. Further steps may be missing. */
    @Nullable
    Authenticated passed() {
        return passed;
    }

    void passed(Authenticated login) {
        passed = login;
    }
}
