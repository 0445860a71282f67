//go:build !linux

package daemon

func (x Examination) space() Finding {
	return info("disk", "free space is not looked at on this system", "")
}
