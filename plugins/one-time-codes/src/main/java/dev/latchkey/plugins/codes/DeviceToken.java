package dev.latchkey.plugins.codes;

import dev.latchkey.auth.Secret;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What a remembered device shows: {@code device-}, its id and a seal ({@link CodeSecret#deviceSeal}), which nobody can make who does not know
 * the account's secret. Its form is neither that of an access token nor that of a refresh token. Prints nothing.
 */
final class DeviceToken {

    static final int ID_BYTES = 16;

    private static final String PREFIX = "device-";
    private static final int SEAL_BYTES = 32;
    private static final int CHARS = PREFIX.length() + 2 * (ID_BYTES + SEAL_BYTES);
    private static final HexFormat HEX = HexFormat.of();

    private final String id;
    private final byte[] seal;

    private DeviceToken(String id, byte[] seal) {
        this.id = id;
        this.seal = seal;
    }

    /** @param id in hexadecimal digits */
    static DeviceToken of(String id, byte[] seal) {
        return new DeviceToken(id, seal.clone());
    }

    /** Empty for what has not the form of one. */
    static Optional<DeviceToken> parse(String text) {
        if (text.length() != CHARS || !text.startsWith(PREFIX)) {
            return Optional.empty();
        }
        String digits = text.substring(PREFIX.length());
        if (!digits.chars().allMatch(HexFormat::isHexDigit)) {
            return Optional.empty();
        }
        byte[] bytes = HEX.parseHex(digits);
        return Optional.of(new DeviceToken(
                HEX.formatHex(bytes, 0, ID_BYTES), Arrays.copyOfRange(bytes, ID_BYTES, ID_BYTES + SEAL_BYTES)));
    }

    String id() {
        return id;
    }

    boolean hasSeal(byte[] expected) {
        return MessageDigest.isEqual(seal, expected);
    }

    /** For whom it is meant, once. */
    Secret text() {
        return Secret.of(PREFIX + id + HEX.formatHex(seal));
    }

    @Override
    public String toString() {
        return "DeviceToken[****]";
    }
}
