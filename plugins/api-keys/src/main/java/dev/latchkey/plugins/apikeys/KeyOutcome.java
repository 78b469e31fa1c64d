package dev.latchkey.plugins.apikeys;

/** What became of the wish for a key: a key, or why there is none. */
public sealed interface KeyOutcome permits IssuedKey, KeyRefusal {}
