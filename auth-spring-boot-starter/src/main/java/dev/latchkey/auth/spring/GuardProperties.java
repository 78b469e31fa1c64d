package dev.latchkey.auth.spring;

import static dev.latchkey.auth.spring.PropertyRules.requireBetween;

import dev.latchkey.auth.guard.ForwardingHeader;
import dev.latchkey.auth.guard.LimitWindow;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What stands before every password hash, under {@code latchkey.guard.*}.
 *
 * @param enabled whether a guard stands before password hashes; false leaves hashes on the threads that ask for them
 * @param threads how many threads compute hashes; half of the processors where it is not set
 * @param maxWait how long a hash may take from being asked for to being done, as far as that can be foretold
 * @param trustedProxies networks (CIDR) whose forwarding header is believed
 * @param forwardingHeader the one header that they write
 * @param async whether request threads are given back while a hash is computed
 * @param asyncTimeout how long a request may be without a thread; longer than all that may happen meanwhile where it is not set
 * @param limits the limits on failed logins
 * @param refusals how refused logins are told
 */
public record GuardProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable Integer threads,
        @DefaultValue("500ms") Duration maxWait,
        @DefaultValue List<String> trustedProxies,
        @DefaultValue("x-forwarded-for") ForwardingHeader forwardingHeader,
        @DefaultValue("auto") Async async,
        @Nullable Duration asyncTimeout,
        @DefaultValue Limits limits,
        @DefaultValue Refusals refusals) {

    /** Whether request threads are given back. */
    public enum Async {
        /** Where nothing of the service's own stands in the way that was not made for asynchronous dispatches. */
        AUTO,
        /** Always: the service vouches for its filters. */
        ALWAYS,
        /** Never: a request thread waits for the pool. */
        NEVER
    }

    /**
     * How refused logins are told, where no thread waits for it.
     *
     * @param delay how long a refusal is held on average, so that clients that come back at once do so less often; zero tells it at once
     * @param maxHeld how many refusals are held at the same time; those above it are told at once
     */
    public record Refusals(
            @DefaultValue("1s") Duration delay,
            @DefaultValue("1000") int maxHeld) {

        public Refusals {
            requireBetween("latchkey.guard.refusals.delay", delay, Duration.ZERO, Duration.ofMinutes(1));
            requireBetween("latchkey.guard.refusals.max-held", maxHeld, 0, 1_000_000);
        }
    }

    /**
     * How many logins may fail.
     *
     * @param enabled whether there are limits on failed logins
     * @param source failures of one source, whatever the account; 50 in 5 minutes and 1,500 in 48 hours where it is not set
     * @param account failures of one account from sources that have not logged in to it, before they take turns; 100 in 48 hours
     *     where it is not set
     * @param accountAndSource failures of one source for one account; 5 in 5 minutes and 150 in 48 hours where it is not set
     */
    public record Limits(
            @DefaultValue("true") boolean enabled,
            @Nullable List<LimitWindow> source,
            @Nullable List<LimitWindow> accountAndSource,
            @Nullable List<LimitWindow> account) {}
}
