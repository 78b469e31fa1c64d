package dev.latchkey.throttle.spring;

import dev.latchkey.auth.jwt.HmacKey;

/** Breaks a rule, to show that it can fail: sees what a login is made of. */
public final class BadThrottleStarter {

    final Class<?> login = HmacKey.class;
}
