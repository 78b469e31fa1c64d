package dev.latchkey.auth.guard.source;

import dev.latchkey.auth.HeaderFields;
import dev.latchkey.auth.guard.source.Peers.Peer;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the source of a request: the right-most address in the header field that is no trusted proxy.
 *
 * <p>Each proxy appends the address that called it, so a list reads from the client on the left to our own proxy on the right. What stands left of
 * the first stranger is that stranger's word. Hence: if the connection does not come from a trusted network, its own address is the source and the
 * header is not read. Otherwise the list is walked from the right, past trusted addresses, and the first other one is the source. An entry that is
 * not an address ends the walk at the last address that was vouched for. So an invented entry can make strangers share a limit, but lets nobody
 * escape one.
 *
 * <p>Exactly one header is read. Of two, a client could send the one that the proxy does not overwrite.
 *
 * <p>Safe for use by any number of threads.
 */
public final class TrustedProxies {

    /** A chain of proxies longer than this is not walked further. */
    private static final int MAX_HOPS = 32;

    private static final ForwardingHeader[] HEADERS = ForwardingHeader.values();

    /** Where a proxy that is not configured is likely to be: private networks (RFC 1918, RFC 6598, RFC 4193), loopback and link-local. */
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
     * Nobody is trusted: the source is the address of the connection.
     *
     * @return for a service that clients connect to directly
     */
    public static TrustedProxies none() {
        return new TrustedProxies(List.of(), null, List.of(), SETTING);
    }

    /**
     * For a service that has not configured whether there are proxies. It is like {@link #none()}, but a connection from a private network, from this
     * machine or from the same link is from an unknown source, whatever header it carries or lacks.
     *
     * <p>Behind a proxy all clients have its address, and one who fails often would use up the limit of all; and many proxies add no header unless
     * they are told to. Logins from unknown sources are limited by their account, and share one budget. Such a source still has a place ({@link
     * ClientSource}), made of the connection's address, the forwarding header fields and the user agent without its digits. This is logged once,
     * together with the setting that decides.
     *
     * <p>While an account is attacked through that proxy, its owner gets in at a place that has logged in. At a new one the owner waits with the
     * attack, and may not get in while it lasts.
     *
     * @return for a service that has not said yet
     */
    public static TrustedProxies undecided() {
        return undecided(SETTING);
    }

    /**
     * As {@link #undecided()}, for a service that has another setting for it.
     *
     * @param setting its name, for the log
     * @return for a service that has not said yet
     */
    public static TrustedProxies undecided(String setting) {
        return new TrustedProxies(List.of(), null, NEAR, Objects.requireNonNull(setting, "setting"));
    }

    /**
     * Trusts this header field if it comes from a proxy in these networks.
     *
     * @param header that the service's own proxies overwrite or append to; the other one is not read
     * @param networks in CIDR notation, or single addresses; the single word {@code none} is {@link #none()}
     * @return for a service behind these proxies
     * @throws IllegalArgumentException if one is not in that notation; the message names it
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
     * The source of a request.
     *
     * @param remoteAddress of the connection, as the server gives it; an IPv6 zone is ignored. What is not an address (a Unix socket, say) makes the
     *     source unknown
     * @param headers of the request; not asked if the connection's own address is the source
     * @return never null; unknown where nothing can be counted by
     */
    public ClientSource sourceOf(@Nullable String remoteAddress, HeaderFields headers) {
        Peer remote = peers.of(remoteAddress == null ? "" : remoteAddress);
        if (remote.address() == null || remote.suspected()) {
            if (remote.suspected()) {
                warnings.tellOfUnknown(remote);
            }
            return unknown(remote, headers);
        }
        if (header == null || !remote.trusted()) {
            return remote.source();
        }
        List<String> values = headers.values(header.fieldName());
        if (values.isEmpty()) {
            warnings.tellOfOtherField(remote, header, headers);
        }
        Peer client = header == ForwardingHeader.X_FORWARDED_FOR ? single(values) : null;
        return client == null || client.trusted()
                ? ClientSource.of(walk(remote.address(), header.hops(values)))
                : client.source();
    }

    /** The client that a single proxy names by its bare address, as most do; null where finding it takes a walk. */
    private @Nullable Peer single(List<String> values) {
        // A zone is no part of an address that was forwarded.
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
        long place = ClientSource.NOWHERE;
        for (ForwardingHeader each : HEADERS) {
            place = place(place, headers.values(each.fieldName()));
        }
        List<String> agents = headers.values(USER_AGENT);
        if (!agents.isEmpty()) {
            place = ClientSource.placeOf(place, new Agent(agents.get(0)));
        }
        boolean nothingShown = place == ClientSource.NOWHERE && remote.address() == null;
        return nothingShown
                ? ClientSource.UNKNOWN
                : ClientSource.unknownAt(ClientSource.placeOf(
                        place, remote.address() == null ? "" : remote.source().network()));
    }

    /** A user agent with all digits alike, so that a browser's update does not make another place. */
    private record Agent(String text) implements CharSequence {

        @Override
        public int length() {
            return Math.min(text.length(), MAX_FIELD_LENGTH);
        }

        @Override
        public char charAt(int index) {
            char c = text.charAt(index);
            return c >= '0' && c <= '9' ? '0' : c;
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }
    }

    /** Mixes in a header field. What proxies add stands at the end of a field and of the list of fields, so long ones are cut at the front. */
    private long place(long before, List<String> values) {
        long place = before;
        for (int i = Math.max(0, values.size() - MAX_FIELDS); i < values.size(); i++) {
            String value = values.get(i);
            int cut = Math.max(0, value.length() - MAX_FIELD_LENGTH);
            Peer client = peers.of(value);
            place = client.address() == null
                    ? ClientSource.placeOf(place, cut == 0 ? value : value.substring(cut))
                    : ClientSource.placeOf(place, client.source().network());
        }
        // What no field's value can be, so that a value of one field is not the same in another.
        return place == ClientSource.NOWHERE ? place : ClientSource.placeOf(place, "\n");
    }
}
