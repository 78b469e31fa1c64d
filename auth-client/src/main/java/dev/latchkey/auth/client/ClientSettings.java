package dev.latchkey.auth.client;

import dev.latchkey.auth.client.wire.Origin;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * Settings for logins and for the origins that receive credentials. Every time limit has a default.
 *
 * @param origins additional origins that receive credentials, besides the login endpoint's own origin (RFC 6454). Only
 *     scheme, host and port of each address are used
 * @param connectTimeout for a connection to the login endpoint
 * @param loginTimeout for one login, from the start to the last byte of the answer
 * @param patience the longest wait of a request for a token, including pauses
 * @param longestBackOff the longest pause between logins, even if a server asks for more
 * @param transport the allowed transports for credentials
 * @param listener receives logins and rejections
 * @param clock for the expiry of tokens
 */
public record ClientSettings(
        Set<URI> origins,
        Duration connectTimeout,
        Duration loginTimeout,
        Duration patience,
        Duration longestBackOff,
        Transport transport,
        ClientListener listener,
        InstantSource clock) {

    private static final Duration LONGEST = Duration.ofDays(1);

    /**
     * @param origins additional origins that receive credentials, besides the login endpoint's own origin (RFC 6454).
     *     Only scheme, host and port of each address are used
     * @param connectTimeout for a connection to the login endpoint
     * @param loginTimeout for one login, from the start to the last byte of the answer
     * @param patience the longest wait of a request for a token, including pauses
     * @param longestBackOff the longest pause between logins, even if a server asks for more
     * @param transport the allowed transports for credentials
     * @param listener receives logins and rejections
     * @param clock for the expiry of tokens
     * @throws IllegalArgumentException if a duration is not positive, or longer than a day
     */
    public ClientSettings {
        origins = Set.copyOf(origins);
        requireUsable("connectTimeout", connectTimeout);
        requireUsable("loginTimeout", loginTimeout);
        requireUsable("patience", patience);
        requireUsable("longestBackOff", longestBackOff);
        Objects.requireNonNull(transport, "transport");
        Objects.requireNonNull(listener, "listener");
        Objects.requireNonNull(clock, "clock");
    }

    /**
     * Only the login endpoint's origin; 2 s to connect, 5 s for a login, 10 s of patience, pauses of at most a minute.
     *
     * @return settings that send credentials by HTTPS, or to this machine only
     */
    public static ClientSettings defaults() {
        return new ClientSettings(
                Set.of(),
                Duration.ofSeconds(2),
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                Duration.ofMinutes(1),
                Transport.ENCRYPTED_OR_LOOPBACK,
                event -> {},
                InstantSource.system());
    }

    /**
     * Returns a copy that also sends credentials to this address's origin.
     *
     * @param address any address of the origin; path and query are ignored
     * @return a changed copy
     */
    public ClientSettings withOrigin(URI address) {
        Set<URI> more = new HashSet<>(origins);
        more.add(Objects.requireNonNull(address, "address"));
        return new ClientSettings(
                more, connectTimeout, loginTimeout, patience, longestBackOff, transport, listener, clock);
    }

    /**
     * Returns a copy with another time limit for connections to the login endpoint.
     *
     * @param time positive, at most a day
     * @return a changed copy
     */
    public ClientSettings withConnectTimeout(Duration time) {
        return new ClientSettings(origins, time, loginTimeout, patience, longestBackOff, transport, listener, clock);
    }

    /**
     * Returns a copy with another time limit for one login.
     *
     * @param time from connecting to the whole answer; positive, at most a day
     * @return a changed copy
     */
    public ClientSettings withLoginTimeout(Duration time) {
        return new ClientSettings(origins, connectTimeout, time, patience, longestBackOff, transport, listener, clock);
    }

    /**
     * Returns a copy with another limit on a request's wait for a token.
     *
     * @param time positive, at most a day
     * @return a changed copy
     */
    public ClientSettings withPatience(Duration time) {
        return new ClientSettings(
                origins, connectTimeout, loginTimeout, time, longestBackOff, transport, listener, clock);
    }

    /**
     * Returns a copy with another longest pause between logins.
     *
     * @param time after several failures in a row; positive, at most a day
     * @return a changed copy
     */
    public ClientSettings withLongestBackOff(Duration time) {
        return new ClientSettings(origins, connectTimeout, loginTimeout, patience, time, transport, listener, clock);
    }

    /**
     * Returns a copy with other allowed transports for credentials.
     *
     * @param over the allowed transports
     * @return a changed copy
     */
    public ClientSettings withTransport(Transport over) {
        return new ClientSettings(
                origins, connectTimeout, loginTimeout, patience, longestBackOff, over, listener, clock);
    }

    /**
     * Returns a copy with another listener.
     *
     * @param listener receives logins and failures
     * @return a changed copy
     */
    public ClientSettings withListener(ClientListener listener) {
        return new ClientSettings(
                origins, connectTimeout, loginTimeout, patience, longestBackOff, transport, listener, clock);
    }

    /**
     * Returns a copy with another clock.
     *
     * @param time for the expiry of tokens and the end of pauses
     * @return a changed copy
     */
    public ClientSettings withClock(InstantSource time) {
        return new ClientSettings(
                origins, connectTimeout, loginTimeout, patience, longestBackOff, transport, listener, time);
    }

    /** The origins that may receive credentials, including this address's origin. */
    Set<Origin> originsWith(URI own) {
        Set<Origin> all = new HashSet<>();
        all.add(transport.originOf(own));
        origins.forEach(address -> all.add(transport.originOf(address)));
        return Set.copyOf(all);
    }

    /** Prints only the origin of each address: the rest may contain secrets. */
    @Override
    public String toString() {
        return "ClientSettings[origins="
                + origins.stream()
                        .map(address -> Origin.of(address).map(Origin::toString).orElse("none"))
                        .sorted()
                        .toList()
                + ", connectTimeout=" + connectTimeout + ", loginTimeout=" + loginTimeout + ", patience=" + patience
                + ", longestBackOff=" + longestBackOff + ", transport=" + transport + "]";
    }

    private static void requireUsable(String name, Duration time) {
        if (time.isNegative() || time.isZero() || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " must be positive and a day at most, got " + time);
        }
    }
}
