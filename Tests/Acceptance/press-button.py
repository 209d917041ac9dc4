#!/usr/bin/env python3
"""Presses a button of a virtual input device of the kernel. Reads one word a line from standard input.

    press-button.py NAME

Words: `short`, `hold`, `double` press the button; `unplug` removes the device, `plug` adds it. Prints each word when
it is done.
"""
import fcntl
import os
import struct
import sys
import time

UI_SET_EVBIT, UI_SET_KEYBIT, UI_DEV_CREATE, UI_DEV_DESTROY = 0x40045564, 0x40045565, 0x5501, 0x5502
EV_SYN, EV_KEY, KEY_ENTER = 0, 1, 28


class Button:
    def plug(self):
        self.file = os.open("/dev/uinput", os.O_WRONLY)
        for event in (EV_SYN, EV_KEY):
            fcntl.ioctl(self.file, UI_SET_EVBIT, event)
        fcntl.ioctl(self.file, UI_SET_KEYBIT, KEY_ENTER)
        # struct uinput_user_dev: a name, an identity, and axes, which a button does not have.
        os.write(self.file, struct.pack("80sHHHHi", sys.argv[1].encode(), 3, 1, 1, 1, 0) + bytes(4 * 64 * 4))
        fcntl.ioctl(self.file, UI_DEV_CREATE)
        time.sleep(3)

    def unplug(self):
        fcntl.ioctl(self.file, UI_DEV_DESTROY)
        os.close(self.file)
        time.sleep(3)

    def edge(self, value):
        os.write(self.file, struct.pack("qqHHi", 0, 0, EV_KEY, KEY_ENTER, value))
        os.write(self.file, struct.pack("qqHHi", 0, 0, EV_SYN, 0, 0))

    def press(self, seconds):
        self.edge(1)
        time.sleep(seconds)
        self.edge(0)

    def short(self):
        # Simulate a contact that bounces: a press of 4 ms comes directly before the real press.
        self.press(0.004)
        time.sleep(0.004)
        self.press(0.12)

    def hold(self):
        self.press(2.6)

    def double(self):
        self.short()
        time.sleep(0.15)
        self.short()


button = Button()
for word in sys.stdin:
    getattr(button, word.strip())()
    print(word.strip(), flush=True)
