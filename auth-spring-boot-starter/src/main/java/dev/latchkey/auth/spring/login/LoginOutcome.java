package dev.latchkey.auth.spring.login;

/** What comes of a login whose credentials are right: tokens, another step before them, or no room. */
public sealed interface LoginOutcome permits AccountFull, IssuedTokens, NextStep {}
