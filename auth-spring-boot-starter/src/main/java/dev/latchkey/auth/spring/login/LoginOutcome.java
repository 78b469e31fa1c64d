package dev.latchkey.auth.spring.login;

/** What comes of a login whose credentials are right: tokens, or another step before them, or a refusal since the account is full. */
public sealed interface LoginOutcome permits AccountFull, IssuedTokens, NextStep {}
