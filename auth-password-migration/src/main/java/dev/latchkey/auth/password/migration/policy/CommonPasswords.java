package dev.latchkey.auth.password.migration.policy;

import dev.latchkey.auth.password.hash.Digest;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.BitSet;
import java.util.Locale;
import java.util.Set;

/**
 * The passwords that attackers try first, as a Bloom filter (B. Bloom, 1970): 211 KB for 84,437 passwords, without a
 * list in the jar. A password of the set is always found. At most one in three thousand other passwords is also found.
 * The user must then choose another password.
 *
 * <p>The set is generated, not collected: words, names and keyboard walks, alone and with common endings. The generator
 * is in the test sources. The tests compare the output of the generator with the file in the jar.
 */
final class CommonPasswords {

    /**
     * With 14 hashes the false-positive rate is (1 - e^(-14/20))^14, about one in fifteen thousand. A password is
     * looked up at most four times.
     */
    static final int BITS_PER_ENTRY = 20;

    private static final int HASHES = 14;
    private static final String RESOURCE = "common-passwords.bloom";
    private static final int MAX_ENDING = 4;

    private final BitSet bits;
    private final int size;

    private CommonPasswords(BitSet bits, int size) {
        this.bits = bits;
        this.size = size;
    }

    static CommonPasswords of(Set<String> passwords) {
        int size = passwords.size() * BITS_PER_ENTRY;
        BitSet bits = new BitSet(size);
        CommonPasswords filter = new CommonPasswords(bits, size);
        for (String password : passwords) {
            for (int position : filter.positions(password)) {
                bits.set(position);
            }
        }
        return filter;
    }

    /**
     * Whether the password is in the set, with or without its short ending, as written or with letters in place of
     * signs.
     */
    boolean contains(CharSequence password) {
        String lower = password.toString().toLowerCase(Locale.ROOT);
        return isListed(lower)
                || isListed(withoutEnding(lower))
                || isListed(plain(lower))
                || isListed(plain(withoutEnding(lower)));
    }

    private boolean isListed(String password) {
        for (int position : positions(password)) {
            if (!bits.get(position)) {
                return false;
            }
        }
        return true;
    }

    /** Drops at most four digits and signs at the end: composition rules have made them a habit. */
    private static String withoutEnding(String password) {
        int end = password.length();
        while (end > 1 && password.length() - end < MAX_ENDING && !Character.isLetter(password.charAt(end - 1))) {
            end--;
        }
        return password.substring(0, end);
    }

    /** Replaces digits and signs by the letters that they stand for. */
    private static String plain(String password) {
        return password.replace('0', 'o')
                .replace('1', 'i')
                .replace('3', 'e')
                .replace('4', 'a')
                .replace('5', 's')
                .replace('7', 't')
                .replace('@', 'a')
                .replace('$', 's')
                .replace('!', 'i');
    }

    /** Double hashing: two halves of one digest give any number of positions (A. Kirsch and M. Mitzenmacher, 2006). */
    private int[] positions(String password) {
        MessageDigest digest = Digest.SHA256.start();
        ByteBuffer hash = ByteBuffer.wrap(digest.digest(password.getBytes(StandardCharsets.UTF_8)));
        long first = hash.getLong();
        long step = hash.getLong() | 1;
        int[] positions = new int[HASHES];
        for (int i = 0; i < HASHES; i++) {
            positions[i] = (int) Long.remainderUnsigned(first + i * step, size);
        }
        return positions;
    }

    byte[] toBytes() {
        byte[] set = bits.toByteArray();
        return ByteBuffer.allocate(Integer.BYTES + set.length)
                .putInt(size)
                .put(set)
                .array();
    }

    /**
     * Loaded at the first look-up: a service without a policy has no cost, and the generator needs no existing filter.
     */
    private static final class Bundled {
        static final CommonPasswords FILTER = read();
    }

    static CommonPasswords bundled() {
        return Bundled.FILTER;
    }

    private static CommonPasswords read() {
        try (InputStream in = CommonPasswords.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing from the jar");
            }
            DataInputStream data = new DataInputStream(in);
            int size = data.readInt();
            return new CommonPasswords(BitSet.valueOf(data.readAllBytes()), size);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
