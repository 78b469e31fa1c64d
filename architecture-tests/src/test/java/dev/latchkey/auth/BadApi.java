package dev.latchkey.auth;

import java.time.Clock;
import java.util.Random;
import org.springframework.security.crypto.password.PasswordEncoder;

/** Breaks rules on purpose: uses Spring, the system's clock, and weak random numbers. */
public final class BadApi {

    final Class<?> seen = PasswordEncoder.class;
    final Clock clock = Clock.systemUTC();
    final Random random = new Random();
}
