package dev.latchkey.throttle.spring;

import dev.latchkey.auth.jwt.HmacKey;

/** Breaks a rule on purpose: a throttle sees the parts of a login. */
public final class BadThrottleStarter {

    final Class<?> login = HmacKey.class;
}
