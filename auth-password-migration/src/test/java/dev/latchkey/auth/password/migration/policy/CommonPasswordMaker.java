package dev.latchkey.auth.password.migration.policy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes the passwords of first guesses from common words and habits, without any list of real passwords. Run with the path of
 * {@code common-passwords.bloom} to write the filter anew.
 */
final class CommonPasswordMaker {

    private static final List<String> ROWS = List.of(
            "1234567890",
            "qwertyuiop",
            "qwertzuiop",
            "azertyuiop",
            "asdfghjkl",
            "zxcvbnm",
            "yxcvbnm",
            "abcdefghijklmnopqrstuvwxyz");

    private static final List<String> COLUMNS =
            List.of("1qaz", "2wsx", "3edc", "4rfv", "5tgb", "6yhn", "7ujm", "8ik,", "qaz", "wsx", "edc");

    private static final int LEAST_WALK = 4;
    private static final int LONGEST_PAIR = 7;

    private CommonPasswordMaker() {}

    public static void main(String[] args) throws IOException {
        Files.write(Path.of(args[0]), CommonPasswords.of(make()).toBytes());
    }

    static Set<String> make() {
        Set<String> made = new TreeSet<>();
        Set<String> words = words();
        for (String word : words) {
            made.add(word);
            made.add(word + word);
            made.add(new StringBuilder(word).reverse().toString());
            endings().forEach(ending -> made.add(word + ending));
        }
        addPhrases(made);
        addWalks(made);
        addNumbers(made);
        return made;
    }

    static Set<String> words() {
        try (InputStream in = CommonPasswordMaker.class.getResourceAsStream("common-password-words.txt")) {
            String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return new TreeSet<>(List.of(text.strip().split("\\s+", -1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Endings longer than the filter's own limit; words with such an ending are looked up whole. */
    private static Set<String> endings() {
        Set<String> endings = new TreeSet<>(List.of(
                "12345", "123456", "1234567", "12345678", "123456789", "forever", "xoxo", "man", "boy", "girl"));
        for (String sign : List.of("!", ".", "@", "#", "*", "?")) {
            endings.add("1234" + sign);
            endings.add("123" + sign + sign);
        }
        for (int year = 1990; year <= 2030; year++) {
            endings.add(year + "!");
        }
        return endings;
    }

    private static void addPhrases(Set<String> made) {
        for (String start : List.of("my", "the", "i", "ilove", "iam", "myname", "big", "super", "new", "123")) {
            words().forEach(word -> made.add(start + word));
        }
        for (String start : List.of("iloveyou", "welcometo", "letmein", "passwordis", "mypasswordis")) {
            words().forEach(word -> made.add(start + word));
        }
    }

    private static void addWalks(Set<String> made) {
        for (String row : ROWS) {
            for (int from = 0; from < row.length(); from++) {
                for (int to = from + LEAST_WALK; to <= row.length(); to++) {
                    addWalk(made, row.substring(from, to));
                }
            }
        }
        for (int from = 0; from < COLUMNS.size(); from++) {
            StringBuilder walk = new StringBuilder();
            for (int to = from; to < COLUMNS.size(); to++) {
                addWalk(made, walk.append(COLUMNS.get(to)).toString());
            }
        }
    }

    private static void addWalk(Set<String> made, String walk) {
        String back = new StringBuilder(walk).reverse().toString();
        made.addAll(List.of(
                walk,
                back,
                walk + back,
                walk + walk,
                walk + "12345",
                "12345" + walk,
                walk + "123456",
                "123456" + walk));
        if (walk.length() <= LONGEST_PAIR) {
            ROWS.forEach(row ->
                    made.add(walk + row.substring(0, walk.length() > row.length() ? row.length() : walk.length())));
        }
    }

    private static void addNumbers(Set<String> made) {
        for (int digit = 0; digit <= 9; digit++) {
            for (int length = 4; length <= 20; length++) {
                made.add(String.valueOf(digit).repeat(length));
            }
        }
        for (int number = 0; number < 10_000; number++) {
            made.add(String.format("%04d", number));
        }
        for (int number = 0; number < 100; number++) {
            made.add(String.format("%02d", number).repeat(3));
            made.add(String.format("%02d", number).repeat(4));
        }
        for (int year = 1940; year <= 2030; year++) {
            for (int month = 1; month <= 12; month++) {
                made.add(String.format("%04d%02d", year, month));
                made.add(String.format("%02d%04d", month, year));
            }
        }
    }
}
