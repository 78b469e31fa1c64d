package dev.latchkey.auth.guard.source;

import dev.latchkey.auth.engine.HeaderFields;
import dev.latchkey.auth.guard.source.Peers.Peer;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the source of a request: the right-most address in the header field that is not a trusted proxy.
 *
 * <p>Each proxy appends the address of its caller. So a list starts with the client on the left, and ends on the right
 * with the caller of the service's own proxy. The first untrusted address from the right is the address of a caller.
 * All entries to the left of this address are only claims of this caller. If the connection does not come from a
 * trusted network, its address is the source and the header is not read. Otherwise the walk goes from the right, past
 * trusted addresses, and the first other address is the source. An invalid entry or the left end ends the walk, and the
 * last trusted address is the source. An invented entry can make callers share a limit, but no caller can avoid a
 * limit.
 *
 * <p>Only one header determines the source. With two headers, a client could send the header that the proxy does not
 * overwrite.
 *
 * <p>Safe for use by any number of threads.
 */
public final class TrustedProxies {

    /** The walk ends after this many proxies. */
    private static final int MAX_HOPS = 32;

    private static final ForwardingHeader[] HEADERS = ForwardingHeader.values();

    /**
     * Likely networks of proxies that are not configured: private networks (RFC 1918, RFC 6598, RFC 4193), loopback and
     * link-local.
     */
    private static final List<IpNetwork> NEAR = Stream.of(
                    "10.0.0.0/8",
                    "172.16.0.0/12",
                    "192.168.0.0/16",
                    "100.64.0.0/10",
                    "127.0.0.0/8",
                    "169.254.0.0/16",
                    "::1",
                    "fc00::/7",
                    "fe80::/10")
            .map(IpNetwork::parse)
            .toList();

    private static final int MAX_FIELDS = 8;
    private static final int MAX_FIELD_LENGTH = 512;
    private static final String NOBODY = "none";
    private static final String USER_AGENT = "User-Agent";
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");
    private static final String SETTING = "latchkey.guard.trusted-proxies";

    private final Peers peers;

    @Nullable
    private final ForwardingHeader header;

    private final ProxyWarnings warnings;

    private TrustedProxies(
            List<IpNetwork> trusted, @Nullable ForwardingHeader header, List<IpNetwork> suspected, String setting) {
        this.peers = new Peers(trusted, suspected);
        this.header = header;
        this.warnings = new ProxyWarnings(setting);
    }

    /**
     * Trusts no proxy: the source is the address of the connection.
     *
     * @return for a service with direct connections from clients
     */
    public static TrustedProxies none() {
        return new TrustedProxies(List.of(), null, List.of(), SETTING);
    }

    /**
     * For a service without a configuration of proxies. Like {@link #none()}, but a connection from a private network,
     * this machine or the same link has an unknown source, with or without a forwarding header.
     *
     * <p>Behind a proxy all clients have the proxy's address, and one client with many failures would use up the limit
     * of all. Many proxies add no header by default. Logins from unknown sources are limited by account, and share one
     * budget. Such a source still has a fingerprint ({@link ClientSource}). The fingerprint is made of the connection's
     * network, the forwarding header fields and the user agent with all digits equal. A warning is logged once, with
     * the name of the setting.
     *
     * <p>During an attack on an account through the proxy, the owner can log in from a known client. With a new client
     * the owner waits with the attack, and perhaps cannot log in before the attack ends.
     *
     * @return for a service without a decision about proxies
     */
    public static TrustedProxies undecided() {
        return undecided(SETTING);
    }

    /**
     * As {@link #undecided()}, for a service with another name for the setting.
     *
     * @param setting its name, for the log
     * @return for a service without a decision about proxies
     */
    public static TrustedProxies undecided(String setting) {
        return new TrustedProxies(List.of(), null, NEAR, Objects.requireNonNull(setting, "setting"));
    }

    /**
     * Trusts this header field from proxies in these networks.
     *
     * @param header overwritten or extended by the service's own proxies; the other header is not read
     * @param networks in CIDR notation, or single addresses; the single word {@code none} is {@link #none()}
     * @return for a service behind these proxies
     * @throws IllegalArgumentException if a network has another notation; the message names the network
     */
    public static TrustedProxies of(ForwardingHeader header, Collection<String> networks) {
        if (List.of(NOBODY).equals(List.copyOf(networks))) {
            return none();
        }
        return new TrustedProxies(
                networks.stream().map(IpNetwork::parse).toList(),
                Objects.requireNonNull(header, "header"),
                List.of(),
                SETTING);
    }

    /**
     * Whether a trusted network has all IPv4 or all IPv6 addresses.
     *
     * @return {@code true} if each client can choose its client IP
     */
    public boolean trustsEveryAddress() {
        return peers.trustsEveryAddress();
    }

    /**
     * The source of a request.
     *
     * @param remoteAddress of the connection, from the server; an IPv6 zone and a port are ignored. Without a valid address
     *     (for example with a Unix socket) the source is unknown
     * @param headers of the request; not read if the connection's own address is the source
     * @return never null; unknown if limits cannot count by address
     */
    public ClientSource sourceOf(@Nullable String remoteAddress, HeaderFields headers) {
        Peer remote = peers.of(remoteAddress == null ? "" : remoteAddress);
        if (remote.address() == null || remote.suspected()) {
            if (remote.suspected()) {
                warnings.warnOfUnknownProxy(remote);
            }
            return unknown(remote, headers);
        }
        if (header == null || !remote.trusted()) {
            return remote.source();
        }
        List<String> values = headers.values(header.fieldName());
        if (values.isEmpty()) {
            warnings.warnOfOtherField(remote, header, headers);
        }
        Peer client = header == ForwardingHeader.X_FORWARDED_FOR ? single(values) : null;
        return client == null || client.trusted()
                ? ClientSource.of(walk(remote.address(), header.hops(values)))
                : client.source();
    }

    /** The client in a header field with a single address, the most common form. Null if the walk is necessary. */
    private @Nullable Peer single(List<String> values) {
        // The class Peers ignores a zone, but a forwarded address with a zone is invalid.
        if (values.size() != 1 || values.get(0).indexOf('%') >= 0) {
            return null;
        }
        Peer client = peers.of(values.get(0));
        return client.address() == null ? null : client;
    }

    private IpAddress walk(IpAddress remote, List<String> hops) {
        IpAddress vouchedFor = remote;
        int last = Math.max(0, hops.size() - MAX_HOPS);
        for (int i = hops.size() - 1; i >= last; i--) {
            Optional<IpAddress> hop = ForwardingHeader.address(hops.get(i));
            if (hop.isEmpty()) {
                return vouchedFor;
            }
            vouchedFor = hop.get();
            if (!peers.isTrusted(vouchedFor)) {
                return vouchedFor;
            }
        }
        return vouchedFor;
    }

    private ClientSource unknown(Peer remote, HeaderFields headers) {
        long fingerprint = ClientSource.NO_FINGERPRINT;
        for (ForwardingHeader each : HEADERS) {
            fingerprint = fingerprint(fingerprint, headers.values(each.fieldName()));
        }
        List<String> agents = headers.values(USER_AGENT);
        if (!agents.isEmpty()) {
            fingerprint = ClientSource.fingerprintOf(fingerprint, withEqualNumbers(agents.get(0)));
        }
        boolean nothingShown = fingerprint == ClientSource.NO_FINGERPRINT && remote.address() == null;
        return nothingShown
                ? ClientSource.UNKNOWN
                : ClientSource.unknownWith(ClientSource.fingerprintOf(
                        fingerprint,
                        remote.address() == null ? "" : remote.source().network()));
    }

    /** All numbers become equal, so that an update of the browser seldom changes the fingerprint. */
    private static String withEqualNumbers(String agent) {
        return NUMBER.matcher(agent.substring(0, Math.min(agent.length(), MAX_FIELD_LENGTH)))
                .replaceAll("0");
    }

    /**
     * Adds the values of a header field to the fingerprint; an address counts as its network. Proxies append at the end
     * of a value and of the list of values, so long values and long lists lose their beginning.
     */
    private long fingerprint(long before, List<String> values) {
        long fingerprint = before;
        for (int i = Math.max(0, values.size() - MAX_FIELDS); i < values.size(); i++) {
            String value = values.get(i);
            int cut = Math.max(0, value.length() - MAX_FIELD_LENGTH);
            Peer client = peers.of(value);
            fingerprint = client.address() == null
                    ? ClientSource.fingerprintOf(fingerprint, cut == 0 ? value : value.substring(cut))
                    : ClientSource.fingerprintOf(fingerprint, client.source().network());
        }
        // No field contains this separator. So equal values in different fields make different fingerprints.
        return fingerprint == ClientSource.NO_FINGERPRINT ? fingerprint : ClientSource.fingerprintOf(fingerprint, "\n");
    }
}
