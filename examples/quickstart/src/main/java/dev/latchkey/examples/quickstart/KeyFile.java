package dev.latchkey.examples.quickstart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file with a random key of 32 bytes, made at the first start and readable by its owner only. */
final class KeyFile {

    private static final Logger LOG = LoggerFactory.getLogger(KeyFile.class);

    private static final int KEY_BYTES = 32;

    private KeyFile() {}

    /** How a key is written as text. */
    interface Encoding {
        String encode(byte[] key);
    }

    /** The same file, after another process has made the file. */
    static Path madeIfAbsent(Path file, Encoding encoding) {
        try {
            createIfAbsent(file.toAbsolutePath(), encoding);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException("The key file " + file + " cannot be made", e);
        }
    }

    private static void createIfAbsent(Path file, Encoding encoding) throws IOException {
        if (Files.exists(file)) {
            return;
        }
        Files.createDirectories(file.getParent());
        byte[] random = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(random);
        // The file is created with its rights, so other users can read the file at no moment.
        try (var channel = Files.newByteChannel(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), ownerOnly(file))) {
            channel.write(ByteBuffer.wrap(encoding.encode(random).getBytes(StandardCharsets.US_ASCII)));
            LOG.info("Made a key in {}", file);
        } catch (FileAlreadyExistsException e) {
            LOG.debug("Another process made the key first");
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
