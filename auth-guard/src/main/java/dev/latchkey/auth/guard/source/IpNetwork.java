package dev.latchkey.auth.guard.source;

/**
 * A network in CIDR notation, {@code 10.0.0.0/8} or {@code 2001:db8::/32}; a bare address is a network of one address.
 *
 * @param address the network's address; all bits after the prefix are zero
 * @param length of the prefix, 0 to 32 or 128
 */
record IpNetwork(IpAddress address, int length) {

    /** The number of bits before a mapped or translated IPv4 address in IPv6 (RFC 4291 section 2.5.5.2, RFC 6052). */
    private static final int BITS_BEFORE_V4 = IpAddress.V6_BITS - IpAddress.V4_BITS;

    /**
     * Reads a network.
     *
     * @throws IllegalArgumentException if the text is not a network, or is an address inside a network; the message
     *     names the right form
     */
    static IpNetwork parse(String text) {
        int slash = text.indexOf('/');
        IpAddress written = IpAddress.asWritten(slash < 0 ? text : text.substring(0, slash))
                .orElseThrow(() -> new IllegalArgumentException(
                        "Not an IP address or a network such as 10.0.0.0/8 or 2001:db8::/32: '" + text + "'"));
        int length = slash < 0 ? written.bits() : length(text, slash, written.bits());
        if (!written.prefix(length).equals(written)) {
            throw new IllegalArgumentException("'" + text + "' names an address inside a network; write "
                    + written.prefix(length) + "/" + length + ", or the address alone");
        }
        IpAddress address = written.withoutIpv6Prefix();
        return address.equals(written) || length < BITS_BEFORE_V4
                ? new IpNetwork(written, length)
                : new IpNetwork(address, length - BITS_BEFORE_V4);
    }

    private static int length(String text, int slash, int bits) {
        String digits = text.substring(slash + 1);
        if (!digits.matches("0|[1-9][0-9]{0,2}")) {
            throw new IllegalArgumentException("Not a prefix length, a number without leading zeros: '" + text + "'");
        }
        int length = Integer.parseInt(digits);
        if (length > bits) {
            throw new IllegalArgumentException("The prefix length of '" + text + "' must be from 0 to " + bits);
        }
        return length;
    }

    boolean contains(IpAddress other) {
        return other.bits() == address.bits() && other.prefix(length).equals(address);
    }
}
