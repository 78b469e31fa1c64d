package dev.latchkey.plugins.codes;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The token of a remembered device: {@code device-}, its id, a seal ({@link CodeSecret#deviceSeal}) and the id of its
 * account. The seal proves knowledge of the account's secret. The account is part of the token for a revocation, because a
 * revocation request contains the token alone. The form differs from the forms of access tokens and refresh tokens. Never
 * printed.
 */
final class DeviceToken implements Credentials {

    static final int ID_BYTES = 16;

    private static final String PREFIX = "device-";
    private static final String BEARER = "Bearer ";
    private static final int SEAL_BYTES = 32;
    private static final int SEALED_BYTES = ID_BYTES + SEAL_BYTES;

    /** The limit of {@link dev.latchkey.auth.RememberedDevice}. */
    private static final int LONGEST = 512;

    private static final int MOST_ACCOUNT_BYTES = (LONGEST - PREFIX.length()) / 2 - SEALED_BYTES;
    private static final HexFormat HEX = HexFormat.of();

    private final String id;
    private final byte[] seal;
    private final String account;

    private DeviceToken(String id, byte[] seal, String account) {
        this.id = id;
        this.seal = seal;
        this.account = account;
    }

    /** Whether a token has room for this account: at most 204 bytes of UTF-8. */
    static boolean canName(String account) {
        int bytes = account.getBytes(StandardCharsets.UTF_8).length;
        return bytes > 0 && bytes <= MOST_ACCOUNT_BYTES;
    }

    /** @param id in hexadecimal digits */
    static DeviceToken of(String id, byte[] seal, String account) {
        return new DeviceToken(id, seal.clone(), account);
    }

    /** Empty for a text in another form. */
    static Optional<DeviceToken> parse(String text) {
        int digits = text.length() - PREFIX.length();
        if (!text.startsWith(PREFIX) || text.length() > LONGEST || digits <= 2 * SEALED_BYTES || digits % 2 != 0) {
            return Optional.empty();
        }
        String hex = text.substring(PREFIX.length());
        if (!hex.chars().allMatch(HexFormat::isHexDigit)) {
            return Optional.empty();
        }
        byte[] bytes = HEX.parseHex(hex);
        String account = new String(bytes, SEALED_BYTES, bytes.length - SEALED_BYTES, StandardCharsets.UTF_8);
        // The caller is unauthenticated, and a database may fail on a control character.
        return Subject.isId(account)
                ? Optional.of(new DeviceToken(
                        HEX.formatHex(bytes, 0, ID_BYTES), Arrays.copyOfRange(bytes, ID_BYTES, SEALED_BYTES), account))
                : Optional.empty();
    }

    /** A device's token in the place of an access token, as in a revocation request. */
    static Optional<DeviceToken> sentAsBearer(RequestContext context) {
        List<String> fields = context.header("Authorization");
        return fields.size() == 1 && fields.get(0).regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? parse(fields.get(0).substring(BEARER.length()))
                : Optional.empty();
    }

    String id() {
        return id;
    }

    /** The id of the account. */
    String owner() {
        return account;
    }

    boolean hasSeal(byte[] expected) {
        return MessageDigest.isEqual(seal, expected);
    }

    /** The text of the token, for its owner. */
    Secret text() {
        return Secret.of(PREFIX + id + HEX.formatHex(seal) + HEX.formatHex(account.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public String toString() {
        return "DeviceToken[****]";
    }
}
