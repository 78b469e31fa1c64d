package dev.latchkey.auth.client;

import dev.latchkey.auth.client.wire.Origin;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * How logins are made and to whom credentials are shown. All limits of time are there from the start.
 *
 * @param origins whose requests get credentials, besides those of the login endpoint's own origin (RFC 6454): of each address, scheme, host and port count
 * @param connectTimeout for a connection to the login endpoint
 * @param loginTimeout for one login from its beginning to the last byte of the answer
 * @param patience how long a request waits for a token at most, back-off included
 * @param longestBackOff the upper bound on every back-off, whatever a server asks for
 * @param transport over what credentials may be sent
 * @param listener what counts logins and refusals
 * @param clock the time by which tokens end
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
     * @param origins whose requests get credentials, besides those of the login endpoint's own origin (RFC 6454): of each address, scheme, host and
     *     port count
     * @param connectTimeout for a connection to the login endpoint
     * @param loginTimeout for one login from its beginning to the last byte of the answer
     * @param patience how long a request waits for a token at most, back-off included
     * @param longestBackOff the upper bound on every back-off, whatever a server asks for
     * @param transport over what credentials may be sent
     * @param listener what counts logins and refusals
     * @param clock the time by which tokens end
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
     * The login endpoint's origin alone; 2 s to connect, 5 s for a login, 10 s of patience, back-off of a minute at most.
     *
     * @return settings with which credentials go by HTTPS, or stay on this machine
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
     * These, with requests to this address' origin shown credentials too.
     *
     * @param address any address of that origin; path and query do not count
     * @return others; these stay as they are
     */
    public ClientSettings withOrigin(URI address) {
        Set<URI> more = new HashSet<>(origins);
        more.add(Objects.requireNonNull(address, "address"));
        return new ClientSettings(
                more, connectTimeout, loginTimeout, patience, longestBackOff, transport, listener, clock);
    }

    /**
     * These, with so much time to connect to the login endpoint.
     *
     * @param time positive, a day at most
     * @return others; these stay as they are
     */
    public ClientSettings withConnectTimeout(Duration time) {
        return new ClientSettings(origins, time, loginTimeout, patience, longestBackOff, transport, listener, clock);
    }

    /**
     * These, with so much time for one login.
     *
     * @param time from the connecting to the whole answer; positive, a day at most
     * @return others; these stay as they are
     */
    public ClientSettings withLoginTimeout(Duration time) {
        return new ClientSettings(origins, connectTimeout, time, patience, longestBackOff, transport, listener, clock);
    }

    /**
     * These, with requests that wait so long for a token.
     *
     * @param time positive, a day at most
     * @return others; these stay as they are
     */
    public ClientSettings withPatience(Duration time) {
        return new ClientSettings(
                origins, connectTimeout, loginTimeout, time, longestBackOff, transport, listener, clock);
    }

    /**
     * These, with a back-off of so long at most.
     *
     * @param time after several failures in a row; positive, a day at most
     * @return others; these stay as they are
     */
    public ClientSettings withLongestBackOff(Duration time) {
        return new ClientSettings(origins, connectTimeout, loginTimeout, patience, time, transport, listener, clock);
    }

    /**
     * These, with credentials that go over this.
     *
     * @param over which transports are allowed
     * @return others; these stay as they are
     */
    public ClientSettings withTransport(Transport over) {
        return new ClientSettings(
                origins, connectTimeout, loginTimeout, patience, longestBackOff, over, listener, clock);
    }

    /**
     * These, with this listener instead of the one before.
     *
     * @param told hears of logins and of what failed
     * @return others; these stay as they are
     */
    public ClientSettings withListener(ClientListener told) {
        return new ClientSettings(
                origins, connectTimeout, loginTimeout, patience, longestBackOff, transport, told, clock);
    }

    /**
     * These, by this time.
     *
     * @param time by which tokens end and back-offs are over
     * @return others; these stay as they are
     */
    public ClientSettings withClock(InstantSource time) {
        return new ClientSettings(
                origins, connectTimeout, loginTimeout, patience, longestBackOff, transport, listener, time);
    }

    /** The origins to which credentials may go, this address' among them. */
    Set<Origin> originsWith(URI own) {
        Set<Origin> all = new HashSet<>();
        all.add(transport.originOf(own));
        origins.forEach(address -> all.add(transport.originOf(address)));
        return Set.copyOf(all);
    }

    /** Of each address its origin alone: people put secrets into the rest. */
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
