package dev.latchkey.auth.spring.login;

/**
 * The outcome of a login with right credentials: tokens, another step, or a rejection because the account has the maximum of
 * sessions.
 */
public sealed interface LoginOutcome permits AccountFull, IssuedTokens, NextStep {}
