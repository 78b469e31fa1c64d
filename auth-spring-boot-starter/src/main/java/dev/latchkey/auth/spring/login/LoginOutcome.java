package dev.latchkey.auth.spring.login;

/** What comes of a login whose credentials are right: tokens, or another step before them. */
public sealed interface LoginOutcome permits IssuedTokens, NextStep {}
