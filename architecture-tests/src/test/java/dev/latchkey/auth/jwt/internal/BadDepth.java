package dev.latchkey.auth.jwt.internal;

/** Breaks a rule on purpose: a second package of its module, without a null mark. */
public final class BadDepth {}
