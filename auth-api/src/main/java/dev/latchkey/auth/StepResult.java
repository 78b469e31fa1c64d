package dev.latchkey.auth;

/**
 * The result of a response to a {@link LoginStep}: {@link Passed}, {@link Rejected}, or {@link Challenged} for one more
 * response.
 */
public sealed interface StepResult permits Passed, Rejected, Challenged {}
