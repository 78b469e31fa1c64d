package dev.latchkey.plugins.codes;

/** The hash that codes are made with (RFC 6238 section 1.2). */
public enum CodeAlgorithm {
    /** What every authenticator app knows. As an HMAC it is sound: what broke SHA-1 are collisions. */
    SHA1("HmacSHA1"),
    /** For apps that are known to read {@code algorithm}; many take the code for one of SHA-1. */
    SHA256("HmacSHA256"),
    /** As {@link #SHA256}. */
    SHA512("HmacSHA512");

    private final String mac;

    CodeAlgorithm(String mac) {
        this.mac = mac;
    }

    String mac() {
        return mac;
    }
}
