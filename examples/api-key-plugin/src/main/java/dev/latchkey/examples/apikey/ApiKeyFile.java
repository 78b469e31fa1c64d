package dev.latchkey.examples.apikey;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.PluginConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * The file of keys, read again when it has changed: its time of modification, its size or the file itself.
 *
 * <p>A changed file that is malformed leaves the keys of the last good one in force and is logged once: a slip of an editor
 * must not lock everybody out. A file that is gone, or that cannot be read any more, is an outage: deleting it is how an
 * operator takes all keys away at once, so the keys that are remembered must not outlive it; and to call them wrong would
 * make clients throw good keys away.
 *
 * <p>Safe for use by any number of threads; the file's attributes are looked at for each request, its content by one thread.
 */
final class ApiKeyFile {

    static final int MAX_BYTES = 1 << 20;

    private static final Logger LOG = System.getLogger(ApiKeyFile.class.getName());

    /** What changes when somebody writes the file or puts another one in its place. */
    private record Version(
            FileTime modified, long size, @Nullable Object key) {}

    private record Reading(Version version, ApiKeys keys) {}

    private final Path file;
    private final Object refreshing = new Object();
    private volatile Reading reading;

    private ApiKeyFile(Path file, Reading reading) {
        this.file = file;
        this.reading = reading;
    }

    /**
     * Reads the file for the first time.
     *
     * @throws PluginConfigException if it is not there, cannot be read, is too large or is malformed
     */
    static ApiKeyFile open(Path file) {
        try {
            Version version = versionOf(file);
            return new ApiKeyFile(file, new Reading(version, read(file)));
        } catch (IOException e) {
            throw new PluginConfigException("The file of API keys that the setting file names cannot be read", e);
        } catch (MalformedKeysException e) {
            throw new PluginConfigException(
                    "The file of API keys that the setting file names is malformed: " + e.getMessage(), e);
        }
    }

    /**
     * The keys in force now.
     *
     * @throws AuthUnavailableException if the file is gone or cannot be read
     */
    ApiKeys keys() {
        try {
            Version now = versionOf(file);
            return now.equals(reading.version()) ? reading.keys() : refreshed();
        } catch (IOException e) {
            throw AuthUnavailableException.outage("The file of API keys cannot be read any more: " + file, e);
        }
    }

    private ApiKeys refreshed() throws IOException {
        synchronized (refreshing) {
            // Looked at again: another thread may have read it meanwhile. The version is taken before the content, so a
            // file that is written during the reading is read once more at the next request.
            Version now = versionOf(file);
            if (!now.equals(reading.version())) {
                reading = new Reading(now, newOrOld());
            }
            return reading.keys();
        }
    }

    private ApiKeys newOrOld() throws IOException {
        try {
            return read(file);
        } catch (MalformedKeysException e) {
            LOG.log(
                    Level.ERROR,
                    "The changed file of API keys is malformed, so the keys from before stay in force: {0}, {1}",
                    file,
                    e.getMessage());
            return reading.keys();
        }
    }

    private static ApiKeys read(Path file) throws IOException, MalformedKeysException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        }
        if (bytes.length > MAX_BYTES) {
            throw new MalformedKeysException("it has more than " + MAX_BYTES + " bytes");
        }
        try {
            // A decoder of its own, since new String(bytes, UTF_8) replaces what is not UTF-8 without a word.
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return ApiKeys.parse(text.lines().toList());
        } catch (CharacterCodingException e) {
            throw new MalformedKeysException("it is not UTF-8");
        }
    }

    private static Version versionOf(Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        if (!attributes.isRegularFile()) {
            throw new IOException("No regular file: " + file);
        }
        return new Version(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
    }
}
