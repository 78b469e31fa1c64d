package dev.latchkey.plugins.apikeys;

/** The result of a request for a key: the key, or the reason of the refusal. */
public sealed interface KeyOutcome permits IssuedKey, KeyRefusal {}
