package dev.latchkey.auth.spring.settings;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The service cannot start because of its Latchkey configuration. The message names the mistake and the correction. */
public final class LatchkeyConfigurationException extends RuntimeException {

    /** 32 bytes or more in Base64 or Base64url. */
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9+/_-]{43,}={0,2}");

    private final String action;

    /**
     * A mistake in the configuration, with a correction.
     *
     * @param problem the mistake, with the property and never with a secret
     * @param action the correction, as a sentence
     */
    public LatchkeyConfigurationException(String problem, String action) {
        super(problem);
        this.action = action;
    }

    /**
     * An unreadable key file. The message contains the file name, unless the name may be a key written there by mistake: the
     * message goes to the log.
     *
     * @param property names the file
     * @param reason the cause
     * @param action the correction, as a sentence
     * @return to be thrown
     */
    public static LatchkeyConfigurationException unreadable(String property, IOException reason, String action) {
        String shown = mayNameAKey(reason)
                ? reason.getClass().getName() + ", and its name may be the key itself"
                : reason.toString();
        return new LatchkeyConfigurationException(property + ": the file cannot be read: " + shown, action);
    }

    /** A path can consist of base64 characters too, but then the path has a folder. */
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
