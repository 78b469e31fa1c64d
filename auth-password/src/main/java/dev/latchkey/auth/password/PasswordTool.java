package dev.latchkey.auth.password;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The command line: {@code java -cp … dev.latchkey.auth.password.PasswordTool <command>}. Passwords and hashes are read from a file
 * or standard input, never from an argument, which every user of the machine can see. Exit code 0, or 2 for a mistake in the call.
 */
public final class PasswordTool {

    private static final String USAGE = String.join(
            System.lineSeparator(),
            "identify FILE|- [COLUMN [DELIMITER]]  what the stored hashes are, one a line or in a column counted from 1; a table with counts",
            "hash [SPEC]                           the hash of the password on standard input; SPEC as in bcrypt:cost=12",
            "secret [BYTES]                        a random key in Base64url, of 32 bytes or more",
            "password [BITS]                       a random password, of 100 bits unless told otherwise",
            "calibrate MILLIS                      costs that take so long for one hash on this machine",
            "calibrate LOGINS_PER_SECOND CORES     costs for so many logins a second",
            "");

    private static final int OK = 0;
    private static final int MISUSED = 2;
    private static final int LEAST_SECRET_BYTES = 32;
    private static final int GREATEST_SECRET_BYTES = 1024;

    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;

    PasswordTool(InputStream in, PrintStream out, PrintStream err) {
        this.in = in;
        this.out = out;
        this.err = err;
    }

    /** Runs the command, and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(new PasswordTool(System.in, System.out, System.err).run(args));
    }

    int run(String... args) {
        try {
            if (args.length == 0) {
                throw new IllegalArgumentException("A command is needed");
            }
            dispatch(args[0], List.of(args).subList(1, args.length));
            return OK;
        } catch (NoSuchFileException e) {
            err.println("There is no file " + e.getFile());
        } catch (CharacterCodingException e) {
            err.println("The input is not UTF-8");
        } catch (IOException | IllegalArgumentException | MissingLibraryException e) {
            err.println(e.getMessage());
        }
        err.print(USAGE);
        return MISUSED;
    }

    private void dispatch(String command, List<String> args) throws IOException {
        switch (command) {
            case "identify" -> identify(args);
            case "hash" ->
                out.println(PasswordEncoders.writing(HashSpec.of(at(args, 0, "argon2id")))
                        .encode(line()));
            case "secret" -> secret(number(at(args, 0, "32")));
            case "password" ->
                PasswordGenerator.ofEntropyBits(number(at(args, 0, "100")))
                        .generate()
                        .withText(text -> {
                            out.println(text);
                            return text.length();
                        });
            case "calibrate" -> out.print(calibration(args).report());
            default -> throw new IllegalArgumentException("There is no such command");
        }
    }

    private void identify(List<String> args) throws IOException {
        int column = number(at(args, 1, "0"));
        Pattern delimiter = Pattern.compile(Pattern.quote(at(args, 2, ",")));
        PasswordEncoders encoders = PasswordEncoders.recommended();
        HashReport report = new HashReport();
        try (BufferedReader lines = reader(at(args, 0, "-"))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank()) {
                    report.add(encoders.identify(cell(line, column, delimiter)));
                }
            }
        }
        out.print(report.table());
    }

    private static String cell(String line, int column, Pattern delimiter) {
        if (column == 0) {
            return line.strip();
        }
        String[] cells = delimiter.split(line, -1);
        return column <= cells.length ? unquoted(cells[column - 1].strip()) : "";
    }

    private static String unquoted(String cell) {
        return cell.length() > 1 && cell.startsWith("\"") && cell.endsWith("\"")
                ? cell.substring(1, cell.length() - 1)
                : cell;
    }

    private BufferedReader reader(String file) throws IOException {
        return file.equals("-")
                ? new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                : Files.newBufferedReader(Path.of(file));
    }

    private String line() throws IOException {
        String line = reader("-").readLine();
        if (line == null) {
            throw new IllegalArgumentException("The password is read from standard input, which is empty");
        }
        return line;
    }

    private void secret(int bytes) {
        if (bytes < LEAST_SECRET_BYTES || bytes > GREATEST_SECRET_BYTES) {
            throw new IllegalArgumentException("A secret has 32 to 1024 bytes, got " + bytes);
        }
        byte[] secret = new byte[bytes];
        new SecureRandom().nextBytes(secret);
        out.println(Base64Alphabet.URL.encode(secret));
        Arrays.fill(secret, (byte) 0);
    }

    private static Calibration calibration(List<String> args) {
        return args.size() > 1
                ? Calibration.forLogins(number(args.get(0)), number(args.get(1)))
                : Calibration.forTarget(Duration.ofMillis(number(at(args, 0, "250"))));
    }

    private static String at(List<String> args, int index, String otherwise) {
        return index < args.size() ? args.get(index) : otherwise;
    }

    private static int number(String digits) {
        int number = HashText.number(digits);
        if (number == HashText.NOT_A_NUMBER) {
            throw new IllegalArgumentException("A number is needed, not '" + digits + "'");
        }
        return number;
    }
}
