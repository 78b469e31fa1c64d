package dev.latchkey.auth;

/** What a {@link LoginStep} says about a response: {@link Passed}, {@link Rejected}, or {@link Challenged} where one more response is wanted. */
public sealed interface StepResult permits Passed, Rejected, Challenged {}
