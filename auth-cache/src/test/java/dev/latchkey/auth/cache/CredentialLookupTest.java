package dev.latchkey.auth.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CredentialLookupTest {

    private static final long OWNER = 7;
    private static final long SEED = 42;

    /**
     * Texts with colliding naive encodings or concatenations: shifted borders, lone surrogates, '?' for unmappable characters.
     */
    private static final List<String> FIELDS = List.of(
            "",
            "a",
            "b",
            "ab",
            "ba",
            "aa",
            "a\0",
            "\0a",
            "\0",
            "\0\0",
            "?",
            "??",
            "\uFFFD",
            "\uD800",
            "\uDC00",
            "\uDBFF",
            "\uD800\uDC00",
            "\uDC00\uD800",
            "\uD83D\uDE00",
            "\u00FF",
            "\u0100",
            "\u0001",
            "\u0001\u0000",
            "\u6161",
            "aa\u0100",
            "\u00E9",
            "e\u0301",
            "\u00C3\u00A9",
            ",",
            "a,b",
            "1:a",
            "{bcrypt}",
            "$2a$10$",
            "\n",
            "2",
            "4");

    // CVE-2022-46146: without lengths, ("ab", "c") and ("a", "bc") were one key.
    @Test
    void pairsOfFields_neverShareAMessage() {
        Map<String, String> seen = new HashMap<>();
        for (long owner : new long[] {OWNER, 1, 0, -1, 'a'}) {
            for (String storedHash : FIELDS) {
                for (String presented : FIELDS) {
                    String pair = owner + "|" + escaped(storedHash) + "|" + escaped(presented);
                    String other = seen.put(hex(CredentialLookup.ofPassword(owner, SEED, storedHash, presented)), pair);
                    assertThat(other).as(pair).isNull();
                }
            }
        }
        assertThat(seen).hasSize(5 * FIELDS.size() * FIELDS.size());
    }

    /** Without the mark, one wide character would read as a narrow character and a longer field. */
    @Test
    void wideCharacter_isNotTwoNarrowOnes() {
        assertThat(hex(CredentialLookup.ofPassword(OWNER, SEED, "\u6102", "")))
                .isNotEqualTo(hex(CredentialLookup.ofPassword(OWNER, SEED, "a", "\0")));
    }

    /** Without the length, a wide text would read as the text of the next field, or as a text with one more character. */
    @Test
    void wideTexts_haveTheirLength() {
        assertThat(hex(CredentialLookup.ofPassword(OWNER, SEED, "\u0800\0", "")))
                .isNotEqualTo(hex(CredentialLookup.ofPassword(OWNER, SEED, "", "\0\0\0\0")));
        assertThat(hex(CredentialLookup.ofPassword(OWNER, SEED, "\u6161\u6161", "\0\0")))
                .isNotEqualTo(hex(CredentialLookup.ofPassword(OWNER, SEED, "\u6161\u6161\u0400", "")));
    }

    @Test
    void triplesOfFields_neverShareAMessage() {
        Set<String> seen = new HashSet<>();
        for (String account : FIELDS) {
            for (String version : FIELDS) {
                for (String password : List.of("", "a", "ab", "b", "\0", "?", "\uFFFD", "\0\0\0\0")) {
                    byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
                    assertThat(seen.add(hex(CredentialLookup.ofSecret(OWNER, SEED, account, version, bytes))))
                            .as("%s %s %s", escaped(account), escaped(version), escaped(password))
                            .isTrue();
                }
            }
        }
    }

    // Okta 2024: a key derivation that stops at 72 bytes let a long user name stand for any password.
    @Test
    void everyCharacterOfALongPassword_counts() {
        Set<String> seen = new HashSet<>();
        String longest = "x".repeat(4_096);
        for (int at = 0; at < longest.length(); at += 31) {
            String changed = longest.substring(0, at) + "y" + longest.substring(at + 1);
            assertThat(seen.add(hex(CredentialLookup.ofPassword(OWNER, SEED, longest, changed))))
                    .isTrue();
            assertThat(seen.add(hex(CredentialLookup.ofPassword(OWNER, SEED, changed, longest))))
                    .isTrue();
        }
    }

    @Test
    void bytesThatAreNoText_doNotMeet() {
        List<byte[]> secrets =
                List.of(new byte[] {}, new byte[] {0}, new byte[] {(byte) 0xFF}, new byte[] {(byte) 0xC0, 0});
        Set<String> seen = new HashSet<>();
        for (byte[] secret : secrets) {
            assertThat(seen.add(hex(CredentialLookup.ofSecret(OWNER, SEED, "a", "", secret))))
                    .isTrue();
        }
    }

    @Test
    void tag_isTheAccountsInEveryForm() {
        for (String account : FIELDS) {
            long tag = CredentialLookup.tagOfStoredHash(SEED, account);
            assertThat(CredentialLookup.ofPassword(OWNER, SEED, account, "p").tag())
                    .isEqualTo(tag);
            assertThat(CredentialLookup.ofPassword(1, SEED, account, "\uD800").tag())
                    .isEqualTo(tag);
            long username = CredentialLookup.tagOfUsername(SEED, account);
            assertThat(CredentialLookup.ofSecret(OWNER, SEED, account, "v", new byte[3])
                            .tag())
                    .isEqualTo(username)
                    .isNotEqualTo(tag);
            assertThat(CredentialLookup.tagOfStoredHash(SEED + 1, account)).isNotEqualTo(tag);
        }
    }

    @Test
    void tags_ofManyAccountsDiffer() {
        Set<Long> tags = new HashSet<>();
        for (int i = 0; i < 200_000; i++) {
            tags.add(CredentialLookup.tagOfStoredHash(SEED, "$2a$10$" + i));
        }
        assertThat(tags).hasSize(200_000);
    }

    /**
     * All changes of one bit, and of the two and three highest bits. An earlier tag had changes that cancelled each other: a
     * caller could produce colliding names without the seed.
     */
    @Test
    void everyBitOfEveryCharacter_reachesTheTag() {
        for (int length = 1; length <= 40; length++) {
            String name = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnop".substring(0, length);
            for (long seed : new long[] {0, 1, SEED, -1, Long.MIN_VALUE, 0x9E3779B97F4A7C15L}) {
                Set<Long> tags = new HashSet<>(Set.of(CredentialLookup.tagOfStoredHash(seed, name)));
                for (int at = 0; at < length; at++) {
                    for (int bit = 0; bit < Character.SIZE; bit++) {
                        assertThat(tags.add(CredentialLookup.tagOfStoredHash(seed, flipped(name, 1 << bit, at))))
                                .as("%s, bit %s of character %s, seed %s", name, bit, at, seed)
                                .isTrue();
                    }
                }
            }
        }
    }

    @Test
    void highestBitsOfSeveralCharacters_neverTakeEachOtherBack() {
        String name = "abcdefghijklmnopqrstuvwx";
        for (long seed : new long[] {0, 1, SEED, -1, 0x9E3779B97F4A7C15L}) {
            for (int bit : new int[] {0x80, 0x8000}) {
                Set<Long> tags = new HashSet<>(Set.of(CredentialLookup.tagOfStoredHash(seed, name)));
                for (int one = 0; one < name.length(); one++) {
                    for (int two = one; two < name.length(); two++) {
                        for (int three = two == one ? one : two + 1; three < name.length(); three++) {
                            int[] places = {one, two, three};
                            assertThat(tags.add(CredentialLookup.tagOfStoredHash(seed, flipped(name, bit, places)))
                                            || one == two)
                                    .as("bit %s of %s", bit, Arrays.toString(places))
                                    .isTrue();
                        }
                    }
                }
            }
        }
    }

    private static String flipped(String name, int bit, int... places) {
        char[] characters = name.toCharArray();
        for (int place : places) {
            characters[place] ^= (char) bit;
        }
        return new String(characters);
    }

    @Test
    void message_isWipedOnceSettled() {
        CredentialLookup lookup = CredentialLookup.ofPassword(OWNER, SEED, "hash", "password");
        assertThatThrownBy(lookup::digest).isInstanceOf(IllegalStateException.class);
        lookup.settle(new CredentialDigest(1, 2, 3, 4));
        assertThat(lookup.message()).containsOnly(0);
        assertThat(lookup.digest()).isEqualTo(new CredentialDigest(1, 2, 3, 4));
        assertThat(lookup).hasToString("CredentialLookup[****]");
        assertThat(lookup.digest()).hasToString("CredentialDigest[****]");
    }

    @Test
    void digests_areEqualOnlyInEveryBit() {
        CredentialDigest digest = new CredentialDigest(1, 2, 3, 4);
        List<CredentialDigest> others = new ArrayList<>();
        for (int bit = 0; bit < 64; bit++) {
            long flip = 1L << bit;
            others.add(new CredentialDigest(1 ^ flip, 2, 3, 4));
            others.add(new CredentialDigest(1, 2 ^ flip, 3, 4));
            others.add(new CredentialDigest(1, 2, 3 ^ flip, 4));
            others.add(new CredentialDigest(1, 2, 3, 4 ^ flip));
        }
        assertThat(others).doesNotContain(digest).hasSize(256);
        assertThat(new CachedCredential(digest, null, 0, 0)).isEqualTo(digest);
        assertThat(digest).isNotEqualTo("digest");
    }

    private static String hex(CredentialLookup lookup) {
        return HexFormat.of().formatHex(lookup.message());
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.chars().forEach(c -> escaped.append(Integer.toHexString(c)).append(' '));
        return escaped.toString();
    }

    @Test
    void tagsOfNamesWithDifferentEnds_haveDifferentHashCodes() {
        for (String prefix : List.of("", "a", "ab", "abc", "account-")) {
            Set<Integer> codes = new HashSet<>();
            for (int i = 0; i < 10_000; i++) {
                codes.add(Long.hashCode(CredentialLookup.tagOfStoredHash(
                        SEED, prefix + (char) (0x4E00 + i / 100) + (char) (0x4E00 + i % 100))));
            }
            assertThat(codes).as(prefix).hasSizeGreaterThan(9_990);
        }
    }
}
