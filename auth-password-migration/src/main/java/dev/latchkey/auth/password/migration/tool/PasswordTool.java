package dev.latchkey.auth.password.migration.tool;

import dev.latchkey.auth.password.HashInfo;
import dev.latchkey.auth.password.HashSpec;
import dev.latchkey.auth.password.MissingLibraryException;
import dev.latchkey.auth.password.PasswordEncoders;
import dev.latchkey.auth.password.hash.BouncyCastle;
import dev.latchkey.auth.password.migration.ForeignFormats;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The command line: {@code java -cp … dev.latchkey.auth.password.migration.tool.PasswordTool <command>}; {@code help}
 * lists the commands. Passwords and hashes come from a file or standard input, never from an argument, because every
 * user of the machine can see arguments. Exit codes: 0 for success, 1 for a failure of the input, the output or a
 * library, and 2 for a wrong call.
 */
public final class PasswordTool {

    private static final String USAGE = String.join(
            System.lineSeparator(),
            "identify FILE|- [SPEC]",
            "    what the stored hashes are, one a line: a table with counts, as a service sees them that writes SPEC (argon2id)",
            "hash [SPEC]",
            "    the hash of the password on standard input; SPEC as in bcrypt:cost=12",
            "");

    private static final int OK = 0;
    private static final int FAILED = 1;
    private static final int MISUSED = 2;

    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;

    PasswordTool(InputStream in, PrintStream out, PrintStream err) {
        this.in = in;
        this.out = out;
        this.err = err;
    }

    /**
     * Runs the command, and ends the JVM with its exit code.
     *
     * @param args the command and its arguments
     */
    public static void main(String[] args) {
        System.exit(new PasswordTool(System.in, System.out, System.err).run(args));
    }

    int run(String... args) {
        try {
            if (args.length == 0) {
                throw new IllegalArgumentException("A command is needed");
            }
            dispatch(args[0], List.of(args).subList(1, args.length));
            // A PrintStream hides a full disk and a closed pipe.
            return out.checkError() ? failed("The output could not be written") : OK;
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            err.print(USAGE);
            return MISUSED;
        } catch (MissingLibraryException e) {
            return failed("This needs " + e.artifact() + " on the class path");
        } catch (NoClassDefFoundError e) {
            return failed("This needs " + e.getMessage() + " on the class path");
        } catch (ToolInputException e) {
            return failed(e.getMessage());
        } catch (CharacterCodingException e) {
            return failed("The input is not UTF-8");
        } catch (NoSuchFileException e) {
            return failed("There is no file " + e.getFile());
        } catch (FileSystemException e) {
            return failed("The file " + e.getFile() + " cannot be read: "
                    + e.getClass().getSimpleName());
        } catch (IOException e) {
            return failed("The input cannot be read: " + e.getMessage());
        }
    }

    private int failed(@Nullable String why) {
        err.println(why);
        return FAILED;
    }

    private void dispatch(String command, List<String> args) throws IOException {
        switch (command) {
            case "identify" -> identify(upTo(2, args));
            case "hash" -> hash(upTo(1, args));
            case "help", "--help", "-h" -> out.print(USAGE);
            default -> throw new IllegalArgumentException("There is no such command");
        }
    }

    private void identify(List<String> args) throws IOException {
        if (args.isEmpty()) {
            throw new IllegalArgumentException("A file is needed, or - for standard input");
        }
        Function<String, HashInfo> identifier =
                PasswordEncoders.identifier(HashSpec.of(at(args, 1, "argon2id")), ForeignFormats.all());
        HashReport report = new HashReport();
        try (BoundedLines lines = BoundedLines.lenient(args.get(0).equals("-") ? in : open(args.get(0)))) {
            for (String line = lines.next(); line != null; line = lines.next()) {
                if (!line.isBlank()) {
                    report.add(identifier.apply(line.strip()));
                }
            }
        }
        out.print(report.table());
    }

    private static InputStream open(String file) throws IOException {
        return Files.newInputStream(Path.of(file));
    }

    private void hash(List<String> args) throws IOException {
        HashSpec spec = HashSpec.of(at(args, 0, "argon2id"));
        PasswordEncoders encoders = BouncyCastle.isPresent()
                ? PasswordEncoders.writing(spec)
                : PasswordEncoders.writingWithoutBouncyCastle(spec);
        String password = BoundedLines.strict(in).next();
        if (password == null) {
            throw new IllegalArgumentException("The password is read from standard input, which is empty");
        }
        out.println(encoders.encode(password));
    }

    private static List<String> upTo(int most, List<String> args) {
        if (args.size() > most) {
            throw new IllegalArgumentException("That is more than this command takes: " + args.get(most));
        }
        return args;
    }

    private static String at(List<String> args, int index, String otherwise) {
        return index < args.size() ? args.get(index) : otherwise;
    }
}
