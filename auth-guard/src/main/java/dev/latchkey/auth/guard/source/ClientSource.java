package dev.latchkey.auth.guard.source;

import dev.latchkey.auth.guard.internal.SipHash;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The source of a request for limits: an IPv4 address, or the /64 network of an IPv6 address.
 *
 * <p>One customer usually has a /64, with 2<sup>64</sup> addresses. An IPv4-mapped IPv6 address is the IPv4 address, and so
 * is an address in {@code 64:ff9b::/96} of a translator (RFC 6052). Find a request's source with {@link TrustedProxies}.
 *
 * <p>Behind a proxy that is not configured, or without a valid address, a source is unknown and has no limit by
 * address. Such a source may still have a fingerprint. The fingerprint only distinguishes a known client from other
 * callers behind the proxy.
 *
 * <p>Immutable.
 */
public final class ClientSource {

    /** The {@link #fingerprint()} of a source without a fingerprint. */
    public static final long NO_FINGERPRINT = 0;

    private static final int V6_PREFIX = 64;
    private static final int WIDE_V6_PREFIX = 48;
    private static final SipHash FINGERPRINTS = SipHash.random();

    /** Neither an address nor a fingerprint is known. */
    public static final ClientSource UNKNOWN = unknownWith(NO_FINGERPRINT);

    private final String network;

    @Nullable
    private final String wideNetwork;

    private final long fingerprint;

    @Nullable
    private final IpAddress address;

    private ClientSource(String network, @Nullable String wideNetwork, long fingerprint, @Nullable IpAddress address) {
        this.network = network;
        this.wideNetwork = wideNetwork;
        this.fingerprint = fingerprint;
        this.address = address;
    }

    /**
     * The source with this address. Asks no name server.
     *
     * @param address four decimal numbers, or the text of RFC 4291 section 2.2 without a zone
     * @return empty if the text is not an address
     */
    public static Optional<ClientSource> of(String address) {
        return IpAddress.parse(address).map(ClientSource::of);
    }

    static ClientSource of(IpAddress address) {
        boolean isV4 = address.bits() == IpAddress.V4_BITS;
        String network = isV4 ? address.toString() : network(address, V6_PREFIX);
        String wideNetwork = isV4 ? null : network(address, WIDE_V6_PREFIX);
        return new ClientSource(network, wideNetwork, fingerprintOf(NO_FINGERPRINT, network), address);
    }

    private static String network(IpAddress address, int prefix) {
        return address.prefix(prefix) + "/" + prefix;
    }

    static ClientSource unknownWith(long fingerprint) {
        return new ClientSource("unknown", null, fingerprint, null);
    }

    /**
     * The fingerprint of an earlier fingerprint and a text, with a key of this process, so that a caller cannot choose
     * a fingerprint.
     */
    static long fingerprintOf(long before, CharSequence text) {
        long fingerprint = FINGERPRINTS.hash(before, text);
        return fingerprint == NO_FINGERPRINT ? 1 : fingerprint;
    }

    /**
     * The network for limits, as text for logs.
     *
     * @return the IPv4 address, the /64 in CIDR notation, or {@code unknown}
     */
    public String network() {
        return network;
    }

    /**
     * The full client IP. For IPv6, limits use the {@link #network} instead.
     *
     * @return all 128 bits of an IPv6 address; empty if the address is not known
     */
    public Optional<String> address() {
        return Optional.ofNullable(address).map(IpAddress::toString);
    }

    /**
     * Whether limits can count by this source.
     *
     * @return false behind a proxy that is not configured, or without a valid address
     */
    public boolean isKnown() {
        return address != null;
    }

    /**
     * The /48 around an IPv6 network. One site has a /48, and an attacker can rent a /48.
     *
     * @return in CIDR notation; null for IPv4 and unknown sources
     */
    @Nullable
    public String wideNetwork() {
        return wideNetwork;
    }

    /**
     * The fingerprint of this client, to recognize known clients. Meaningless in another process.
     *
     * @return a hash; {@link #NO_FINGERPRINT} if there is no fingerprint
     */
    public long fingerprint() {
        return fingerprint;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ClientSource that
                && fingerprint == that.fingerprint
                && isKnown() == that.isKnown()
                && network.equals(that.network);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(fingerprint);
    }

    @Override
    public String toString() {
        return "ClientSource[network=" + network + "]";
    }
}
