package dev.latchkey.auth.jwt.internal;

/** Breaks rules, to show that they can fail: stands in a second package of its module, which is not null-marked. */
public final class BadDepth {}
