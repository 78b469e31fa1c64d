package dev.latchkey.auth.contract;

/** Rules about one subject, as tests that {@link AuthPluginContract} takes over; JUnit finds them there. */
interface Rules {

    /** The test that runs. */
    Trial trial();
}
