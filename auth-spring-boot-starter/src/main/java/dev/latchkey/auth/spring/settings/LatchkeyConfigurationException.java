package dev.latchkey.auth.spring.settings;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The service cannot start because of its Latchkey configuration. Says what is wrong, and what to write instead. */
public final class LatchkeyConfigurationException extends RuntimeException {

    /** 32 bytes or more in Base64 or Base64url. */
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9+/_-]{43,}={0,2}");

    private final String action;

    /**
     * A mistake that whoever configures the service can correct.
     *
     * @param problem what is wrong, with the property and never with a secret
     * @param action what to write instead, as a sentence
     */
    public LatchkeyConfigurationException(String problem, String action) {
        super(problem);
        this.action = action;
    }

    /**
     * A file of a key that cannot be read. Its name is told, unless it may be the key itself, written in its place: the message is for the log.
     *
     * @param property that names the file
     * @param reason why it cannot be read
     * @param action what to write instead, as a sentence
     * @return to be thrown
     */
    public static LatchkeyConfigurationException unreadable(String property, IOException reason, String action) {
        String told = mayNameAKey(reason)
                ? reason.getClass().getName() + ", and its name may be the key itself"
                : reason.toString();
        return new LatchkeyConfigurationException(property + ": the file cannot be read: " + told, action);
    }

    /** A path can be all of a key's characters too, but then there is its folder. */
    private static boolean mayNameAKey(IOException reason) {
        if (!(reason instanceof FileSystemException of)
                || of.getFile() == null
                || !KEY.matcher(of.getFile()).matches()) {
            return false;
        }
        Path folder = Path.of(of.getFile()).getParent();
        return folder == null || !Files.isDirectory(folder);
    }

    String action() {
        return action;
    }
}
